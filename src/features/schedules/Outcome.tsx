import type { ScheduleStart } from '#contract/schedules.ts'
import { SolvedBar } from '#src/ui/SolvedBar.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './schedules.module.css'
import { declineText, startWords } from './verdict-words.ts'

/** What came of a start: its solved rate and verdict, or why there is none. */
export function Outcome({ start }: { start: ScheduleStart }) {
  const { state, skippedBecause, solved, confirmsStartId } = start
  if (state === 'running')
    return <span className={mutedText.plain}>{confirmsStartId ? 'suspected drop, being run again' : 'running'}</span>
  if (state === 'skipped') return <span className={classes.why}>No runs: {skippedBecause}</span>
  return (
    <span className={classes.last}>
      {solved && solved.runs > 0 ? (
        <SolvedBar counts={solved} />
      ) : (
        <span className={mutedText.plain}>no run has a verdict</span>
      )}
      <Verdict start={start} />
    </span>
  )
}

/** What the gate says of one start, with its numbers on hover. */
function Verdict({ start: { gate, confirmsStartId } }: { start: ScheduleStart }) {
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
