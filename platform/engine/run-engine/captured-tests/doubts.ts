import { exitCodeInWords, meaningOfExitCode } from '#contract/exit-codes.ts'
import type { Outcome } from '#contract/outcomes.ts'
import type { TestCapture } from '#platform/queue/run-queue/record-tests.ts'
import type { ReadReport } from '#platform/engine/run-engine/captured-tests/reports/read-report.ts'

const isBad = (outcome: Outcome) => outcome === 'failed' || outcome === 'errored'

/**
 * Why the end of a command contradicts its report, or null. Failed cases explain an ordinary exit code, and as many failed
 * cases as the code says explain any: mocha ends with their number.
 */
function whyUnexplained(exitCode: number | null, captures: readonly TestCapture[]) {
  if (exitCode === 0 || exitCode === null) return null
  const failed = captures.filter(({ outcome }) => isBad(outcome)).length
  const end = `The command ended with ${exitCodeInWords(exitCode)}`
  if (failed === 0) return `${end}, though no case failed`
  return meaningOfExitCode(exitCode) === null || failed === exitCode ? null : end
}

/**
 * The captured tests of a report and of the command that wrote it. A report never overrules its process: if they disagree,
 * or the report's totals contradict its cases, the command is an errored test of its own, with its output and exit code.
 */
export function withDoubts(command: TestCapture, { captures, problems }: ReadReport): TestCapture[] {
  const unexplained = whyUnexplained(command.exitCode ?? null, captures)
  const doubts = unexplained === null ? problems : [unexplained, ...problems]
  if (doubts.length === 0) return captures
  return [...captures.filter(({ name }) => name !== command.name), erroredBecause(command, doubts.join('\n'))]
}

/** The reason comes first: a person reads it before 64 KiB of output. */
export const erroredBecause = (command: TestCapture, reason: string): TestCapture => ({
  ...command,
  outcome: 'errored',
  stderrTail: [reason, command.stderrTail].filter((part) => part !== '').join('\n\n'),
})
