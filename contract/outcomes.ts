import { z } from 'zod'

import { type InfrastructureCause, isLeftOut } from './infrastructure.ts'

/**
 * The outcome of one test in one run. `unresolved` timed out or never ran; `errored` could not start. Every number
 * shows counts of outcomes as its denominator.
 */
export const Outcome = z.enum(['passed', 'failed', 'unresolved', 'errored', 'skipped'])
export type Outcome = z.infer<typeof Outcome>

export const outcomes = Outcome.options

const count = z.int().min(0)

export const OutcomeCounts = z.object({
  passed: count,
  failed: count,
  unresolved: count,
  errored: count,
  skipped: count,
})
export type OutcomeCounts = z.infer<typeof OutcomeCounts>

export const noOutcomes: OutcomeCounts = { passed: 0, failed: 0, unresolved: 0, errored: 0, skipped: 0 }

export function countOutcomes(list: readonly Outcome[]): OutcomeCounts {
  const counts = { ...noOutcomes }
  for (const outcome of list) counts[outcome] += 1
  return counts
}

/** Counts all tests except skipped ones. */
export const countedTests = (counts: OutcomeCounts) =>
  counts.passed + counts.failed + counts.unresolved + counts.errored

/** Returns passed ÷ counted tests, a fraction from 0 to 1. Null if no test counted, never zero. */
export const passRate = (counts: OutcomeCounts) => {
  const counted = countedTests(counts)
  return counted === 0 ? null : counts.passed / counted
}

/** How many of the runs that count are solved. */
export const SolvedCounts = z.object({ solved: count, runs: count })
export type SolvedCounts = z.infer<typeof SolvedCounts>

/** How a run ended: by its status, and by the infrastructure if that is the cause. */
export type RunEnd = { status: string; infrastructureCause?: InfrastructureCause | null | undefined }

/**
 * Whether a finished run solved its task: at least one test passed, and no test failed, errored or was unresolved. A run
 * that errored did not. Null, so that it counts for nothing, if it is left out, if it was canceled, or if it
 * completed without a test to pass.
 */
export function isSolved(run: RunEnd, counts: OutcomeCounts): boolean | null {
  if (run.status === 'canceled' || isLeftOut(run)) return null
  const counted = countedTests(counts)
  if (counted === 0) return run.status === 'errored' ? false : null
  return counts.passed === counted
}

/** The test pass rate of a run, null for a run that is left out. */
export const passRateOfRun = (run: RunEnd, counts: OutcomeCounts) => (isLeftOut(run) ? null : passRate(counts))
