import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustments } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'

import { PageOnly } from './PageOnly.tsx'
import { TableToolsHere } from './ToolsPlace.tsx'
import classes from './ResultBar.module.css'

/**
 * The size of a result, followed by its display and export options, which a phone has behind a button, and by the tools of its tables. A figure of a report
 * has none.
 */
export function ResultBar({ extent, children }: { extent: ReactNode; children: ReactNode }) {
  const [isOpen, { toggle }] = useDisclosure()
  const id = useId()
  return (
    <div className={classes.bar}>
      <p className={classes.extent}>{extent}</p>
      <PageOnly andForm>
        <Button
          variant="default"
          fw={450}
          className={classes.toggle}
          leftSection={<IconAdjustments size={14} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
        >
          Options
        </Button>
        <div id={id} className={classes.controls} data-open={isOpen || undefined}>
          {children}
        </div>
        <TableToolsHere />
      </PageOnly>
    </div>
  )
}
