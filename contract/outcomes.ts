import { z } from 'zod'

/**
 * What became of one test of one run: `unresolved` timed out or never ran, `errored` could not start.
 * Counts of outcomes are the denominator every number shows.
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

/** Every test counts but the skipped ones. */
export const countedTests = (counts: OutcomeCounts) =>
  counts.passed + counts.failed + counts.unresolved + counts.errored

/** Passed ÷ counted tests, a fraction 0 to 1; null when nothing counted, never zero. */
export const passRate = (counts: OutcomeCounts) => {
  const counted = countedTests(counts)
  return counted === 0 ? null : counts.passed / counted
}
