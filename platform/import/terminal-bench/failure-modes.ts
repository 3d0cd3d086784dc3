import type { Outcome } from '#contract/outcomes.ts'

/**
 * What a Terminal-Bench failure mode means here: the outcome of tests whose results were not published, how the run
 * ended, and why. Published test results always stand as published. Explained in docs/import-terminal-bench.md.
 */
export type FailureMode = {
  unpublishedTests: Outcome
  status: 'completed' | 'errored'
  reason: string | null
  timeLimitHit: boolean
}

const ended = (unpublishedTests: Outcome, reason: string | null): FailureMode => ({
  unpublishedTests,
  status: 'completed',
  reason,
  timeLimitHit: false,
})

const broke = (reason: string): FailureMode => ({
  unpublishedTests: 'errored',
  status: 'errored',
  reason,
  timeLimitHit: false,
})

const failureModes: Readonly<Record<string, FailureMode>> = {
  unset: ended('unresolved', null),
  none: ended('unresolved', null),
  agent_timeout: { ...ended('unresolved', 'The agent ran out of time'), timeLimitHit: true },
  test_timeout: ended('unresolved', 'The tests ran out of time'),
  parse_error: ended('errored', 'The tests printed no result that could be read'),
  unknown_agent_error: broke('The agent ended with an unknown error'),
  agent_installation_failed: broke('The agent could not be installed'),
  fatal_llm_parse_error: broke('The agent could not read its model’s answer'),
  context_length_exceeded: broke('The model’s context was full'),
  output_length_exceeded: broke('The model’s answer was too long'),
  unknown: broke('The harness failed for an unknown reason'),
}

/** A mode that is not in the table is an error under its own name. */
export const failureModeOf = (mode: string | null | undefined): FailureMode =>
  failureModes[mode ?? 'unset'] ?? broke(`Terminal-Bench failure mode "${mode}"`)
