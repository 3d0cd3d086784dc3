import type { ScheduleStart } from '#contract/schedules.ts'
import { SolvedBar } from '#src/ui/SolvedBar.tsx'
import classes from './schedules.module.css'
import { Verdict } from './Verdict.tsx'

/** What came of a start: its solved rate and verdict, or why there is none. */
export function Outcome({ start }: { start: ScheduleStart }) {
  const { state, skippedBecause, solved, confirmsStartId } = start
  if (state === 'running')
    return <span className={classes.quiet}>{confirmsStartId ? 'suspected drop, being run again' : 'running'}</span>
  if (state === 'skipped') return <span className={classes.why}>No runs: {skippedBecause}</span>
  return (
    <span className={classes.last}>
      {solved && solved.runs > 0 ? (
        <SolvedBar counts={solved} />
      ) : (
        <span className={classes.quiet}>no run has a verdict</span>
      )}
      <Verdict start={start} />
    </span>
  )
}
