import type { RunEnding } from '#platform/queue/run-queue/run-ending.ts'

/** How a worker ends a run that has nothing to report. A test adds what it is about. */
export const completedRun: RunEnding = {
  status: 'completed',
  statusReason: null,
  tests: [],
  transcript: null,
  testAwareEvidenceSeq: null,
  wallSeconds: 1,
  heldSeconds: 1,
  timeBudgetSeconds: null,
  timeLimitHit: false,
}
