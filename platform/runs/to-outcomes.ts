import type { OutcomeCounts } from '#contract/outcomes.ts'
import type { runs } from '#platform/database/tables/runs.ts'

/** The counts of a run's tests by outcome. */
export const toOutcomes = (run: typeof runs.$inferSelect): OutcomeCounts => ({
  passed: run.testsPassed,
  failed: run.testsFailed,
  unresolved: run.testsUnresolved,
  errored: run.testsErrored,
  skipped: run.testsSkipped,
})
