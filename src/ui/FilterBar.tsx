import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'

import classes from './FilterBar.module.css'

type Props = {
  label: string
  /** Whether there is something to clear. */
  active: boolean
  onClear: () => void
  /** Always visible, such as the search. */
  lead: ReactNode
  /** The other filters. A narrow window has them behind a button. */
  children?: ReactNode
  /** How many of the other filters are active. */
  activeCount?: number
}

/** The filters above a list. */
export function FilterBar({ label, active, onClear, lead, children, activeCount = 0 }: Props) {
  const [isOpen, { toggle }] = useDisclosure()
  const id = useId()
  return (
    <search aria-label={label} className={classes.bar}>
      <div className={classes.lead}>
        {lead}
        {children && (
          <Button
            variant={activeCount > 0 ? 'light' : 'default'}
            fw={450}
            className={classes.toggle}
            leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden />}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={toggle}
          >
            {activeCount > 0 ? `Filters (${activeCount})` : 'Filters'}
          </Button>
        )}
      </div>
      <div id={id} className={classes.filters} data-open={isOpen || !children || undefined}>
        {children}
        {active && (
          <Button variant="subtle" color="gray" onClick={onClear}>
            Clear filters
          </Button>
        )}
      </div>
    </search>
  )
}
