import type { Outcome } from '#contract/outcomes.ts'
import type { RunStatus } from '#contract/run-status.ts'

export const outcomeWord: Record<Outcome, string> = {
  passed: 'passed',
  failed: 'failed',
  unresolved: 'unresolved',
  errored: 'errored',
  skipped: 'skipped',
}

export const statusWord: Record<RunStatus, string> = {
  queued: 'queued',
  waiting_for_ci: 'waiting for CI',
  running: 'running',
  completed: 'completed',
  errored: 'errored',
  canceled: 'canceled',
}
