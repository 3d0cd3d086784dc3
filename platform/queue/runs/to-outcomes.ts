import type { OutcomeCounts } from '#contract/outcomes.ts'
import type { ListedRun } from './listed-run-store.ts'

type Tests = Pick<ListedRun, 'testsPassed' | 'testsFailed' | 'testsUnresolved' | 'testsErrored' | 'testsSkipped'>

/** The counts of a run's tests by outcome. */
export const toOutcomes = (run: Tests): OutcomeCounts => ({
  passed: run.testsPassed,
  failed: run.testsFailed,
  unresolved: run.testsUnresolved,
  errored: run.testsErrored,
  skipped: run.testsSkipped,
})
