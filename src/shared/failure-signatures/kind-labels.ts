import type { FailureKind } from '#contract/failure-signatures.ts'

export const kindLabels: Record<FailureKind, string> = {
  message: 'Message of a test',
  exit_code: 'Exit code of a test',
  test: 'Test without a message',
  tool_error: 'Last tool error',
  agent_exit: 'Exit code of the agent',
  timeout: 'Timed out',
  run_error: 'Run error',
  infrastructure: 'Infrastructure error',
}
