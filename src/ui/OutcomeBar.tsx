import './status-marks.css'
import { VisuallyHidden } from '@mantine/core'
import { type OutcomeCounts, countedTests, outcomes, passRate } from '#contract/outcomes.ts'

import { count, percent } from '#src/format/numbers.ts'
import classes from './OutcomeBar.module.css'
import { describeCounts, outcomeMarks } from './status-marks.ts'
import mutedText from './muted-text.module.css'

type Props = {
  counts: OutcomeCounts
  /** `rate` shows the share of passed tests with its denominator; `counts` lists every outcome next to the bar. */
  text?: 'rate' | 'counts'
}

/** A small stacked bar of outcomes with the same numbers as text. Without counted tests it shows a dash, never zero. */
export function OutcomeBar({ counts, text = 'rate' }: Props) {
  const present = outcomes.filter((outcome) => counts[outcome] > 0)
  const words = describeCounts(counts)
  if (present.length === 0) return <span className={mutedText.plain}>no tests</span>
  return (
    <span className={classes.root} data-text={text} title={words}>
      <VisuallyHidden>{words}</VisuallyHidden>
      <span className={classes.bar} aria-hidden>
        {present.map((outcome) => (
          <span
            key={outcome}
            className={classes.part}
            data-tone={outcomeMarks[outcome].tone}
            style={{ flexGrow: counts[outcome] }}
          />
        ))}
      </span>
      {text === 'rate' && <RateText counts={counts} />}
      {text === 'counts' &&
        present.map((outcome) => (
          <span key={outcome} className={classes.count} data-tone={outcomeMarks[outcome].tone}>
            <b aria-hidden>{outcomeMarks[outcome].glyph}</b> {`${counts[outcome]} ${outcome}`}
          </span>
        ))}
    </span>
  )
}

function RateText({ counts }: { counts: OutcomeCounts }) {
  const rate = passRate(counts)
  return (
    <span className={classes.rate} aria-hidden>
      {percent(rate)}
      <span className={mutedText.plain}>
        {count(counts.passed)}/{count(countedTests(counts))}
      </span>
    </span>
  )
}
