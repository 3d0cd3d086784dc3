import './status-marks.css'
import { VisuallyHidden } from '@mantine/core'

import type { SolvedCounts } from '#contract/outcomes.ts'
import { count, counted, percent } from '#src/format/numbers.ts'
import classes from './OutcomeBar.module.css'
import mutedText from './muted-text.module.css'

type Props = {
  counts: SolvedCounts
  /** Says "solved" next to the rate, where no column header does. */
  isNamed?: boolean
}

/** The share of runs in which every test passed, as a small bar and a number with its denominator. */
export function SolvedBar({ counts: { solved, runs }, isNamed = false }: Props) {
  const rate = percent(solved / runs, 1)
  const words = `Solved ${count(solved)} of ${counted(runs, 'run')} (${rate})`
  return (
    <span className={classes.root} title={words}>
      <VisuallyHidden>{words}</VisuallyHidden>
      <span className={classes.bar} aria-hidden>
        {solved > 0 && <span className={classes.part} data-tone="passed" style={{ flexGrow: solved }} />}
        {solved < runs && <span className={classes.part} data-tone="failed" style={{ flexGrow: runs - solved }} />}
      </span>
      <span className={classes.rate} aria-hidden>
        {rate}
        {isNamed && ' solved'}
        <span className={mutedText.plain}>
          {count(solved)}/{count(runs)}
        </span>
      </span>
    </span>
  )
}
