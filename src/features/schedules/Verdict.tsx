import type { ScheduleStart } from '#contract/schedules.ts'
import classes from './schedules.module.css'
import { declineText, startWords } from './verdict-words.ts'

/** What the gate says of one start, with its numbers on hover. */
export function Verdict({ start: { gate, confirmsStartId } }: { start: ScheduleStart }) {
  if (!gate) return null
  const { text, detail, tone } = startWords(gate, confirmsStartId)
  return (
    <>
      <span className={classes.verdict} data-tone={tone} title={detail}>
        {text}
      </span>
      {gate.decline && <span className={classes.why}>{declineText(gate.decline)}</span>}
    </>
  )
}
