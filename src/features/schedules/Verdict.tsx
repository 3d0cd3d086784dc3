import type { GateResult } from '#contract/schedules.ts'
import classes from './schedules.module.css'
import { verdictWords } from './verdict-words.ts'

/** What the gate says of one start, with its numbers on hover. */
export function Verdict({ gate }: { gate: GateResult }) {
  const { text, detail, tone } = verdictWords(gate)
  return (
    <span className={classes.verdict} data-tone={tone} title={detail}>
      {text}
    </span>
  )
}
