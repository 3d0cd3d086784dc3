import { countedTests, isSolved, type OutcomeCounts } from '#contract/outcomes.ts'
import type { RunStatus } from '#contract/run-status.ts'
import { count, counted } from '#src/format/numbers.ts'
import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import classes from './RunHeader.module.css'

/** What came of a completed run, before its status, which says only that the run ended: `✕ Not solved, 1 of 3 tests passed`. */
export function RunResult({ run: { status, outcomes } }: { run: { status: RunStatus; outcomes: OutcomeCounts } }) {
  const solved = status === 'completed' ? isSolved({ status }, outcomes) : null
  if (solved === null) return null
  const tests = countedTests(outcomes)
  return (
    <span className={classes.result}>
      <OutcomeGlyph outcome={solved ? 'passed' : 'failed'} />
      {solved
        ? `Solved, ${counted(tests, 'test')} passed`
        : `Not solved, ${count(outcomes.passed)} of ${counted(tests, 'test')} passed`}
    </span>
  )
}
