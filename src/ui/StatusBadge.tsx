import './status-marks.css'
import type { RunStatus } from '#contract/run-status.ts'

import classes from './StatusBadge.module.css'
import { runStatusMarks } from './status-marks.ts'

/** A run's status as glyph and word. The tooltip shows `reason`. */
export function StatusBadge({ status, reason }: { status: RunStatus; reason?: string }) {
  const { glyph, label, tone } = runStatusMarks[status]
  return (
    <span className={classes.badge} data-tone={tone} data-status={status} title={reason}>
      <span className={classes.glyph} aria-hidden>
        {glyph}
      </span>
      {label}
    </span>
  )
}
