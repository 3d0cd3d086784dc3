import { countedTests, isSolved } from '#contract/outcomes.ts'
import type { Run } from '#contract/runs.ts'
import { count } from '#src/format/numbers.ts'
import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import { RunTime } from '#src/ui/RunTime.tsx'
import { StatusBadge } from '#src/ui/StatusBadge.tsx'
import classes from './runs.module.css'

/** The status of a run, and whether a completed one solved its task. */
export function RunState({ run }: { run: Run }) {
  const { status, statusReason } = run
  return (
    <span className={classes.state}>
      <StatusBadge status={status} reason={statusReason} />
      {status === 'running' && (
        <span className={classes.runningFor}>
          <RunTime run={run} />
        </span>
      )}
      {status === 'completed' && <RunVerdict run={run} />}
    </span>
  )
}

/** `✕ Not solved, 1 skipped`. A narrow list has no room for the column of tests, so their number stands here. */
function RunVerdict({ run: { status, outcomes, infrastructureCause } }: { run: Run }) {
  const solved = isSolved({ status, infrastructureCause }, outcomes)
  if (solved === null) return null
  return (
    <span className={classes.verdict}>
      <OutcomeGlyph outcome={solved ? 'passed' : 'failed'} />
      <span className={classes.verdictWords}>
        {solved ? 'Solved' : 'Not solved'}
        {outcomes.skipped > 0 && `, ${count(outcomes.skipped)} skipped`}
      </span>
      <span className={classes.verdictTests} aria-hidden>
        {`${count(outcomes.passed)} of ${count(countedTests(outcomes))} tests`}
      </span>
    </span>
  )
}
