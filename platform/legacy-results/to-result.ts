import { LegacyResult } from '#contract/legacy-results.ts'
import { passRate } from '#contract/outcomes.ts'
import type { Run } from '#contract/runs.ts'

/** A run that has ended, in the words of the retired pipeline: the fields it did not know are left out. */
export const toResult = (run: Run): LegacyResult => LegacyResult.parse({ ...run, passRate: passRate(run.outcomes) })
