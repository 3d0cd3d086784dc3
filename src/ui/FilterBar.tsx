import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './FilterBar.module.css'

type Props = { label: string; active: boolean; onClear: () => void; children: ReactNode }

/** The filters above a list. */
export function FilterBar({ label, active, onClear, children }: Props) {
  return (
    <search aria-label={label} className={classes.bar}>
      {children}
      {active && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  )
}
