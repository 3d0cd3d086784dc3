import { LegacyResult } from '#contract/legacy-results.ts'
import { passRateOfRun } from '#contract/outcomes.ts'
import type { Run } from '#contract/runs.ts'

/** An ended run in the format of the retired pipeline, without the fields that it did not have. */
export const toResult = (run: Run): LegacyResult =>
  LegacyResult.parse({ ...run, passRate: passRateOfRun(run, run.outcomes) })
