import './status-marks.css'
import { VisuallyHidden } from '@mantine/core'

import type { Outcome } from '#contract/outcomes.ts'

import classes from './OutcomeGlyph.module.css'
import { outcomeMarks } from './status-marks.ts'

/** The glyph of a test outcome; screen readers read its word. */
export function OutcomeGlyph({ outcome }: { outcome: Outcome }) {
  const { glyph, label, tone } = outcomeMarks[outcome]
  return (
    <span className={classes.glyph} data-tone={tone} title={label}>
      <span aria-hidden>{glyph}</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  )
}
