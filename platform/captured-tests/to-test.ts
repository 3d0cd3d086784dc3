import { findAssertion } from '#contract/assertion.ts'
import { meaningOfExitCode } from '#contract/exit-codes.ts'
import type { CapturedTest } from '#contract/tests.ts'
import type { TestRow } from './store.ts'

/** A captured test without its output, and without what is found in it. */
export const toOutcome = ({ test: { name, ...test }, run }: TestRow): CapturedTest => ({
  ...test,
  id: `${test.runId}:${test.ordinal}`,
  runId: run.compositeId,
  runUuid: test.runId,
  testName: name,
})

export function toTest(row: TestRow, commandOf: (row: TestRow) => string[] | null): CapturedTest {
  const { outcome, exitCode, stderrTail, stdoutTail } = row.test
  const isBad = outcome === 'failed' || outcome === 'errored'
  return {
    ...toOutcome(row),
    command: commandOf(row),
    exitCodeMeaning: exitCode === null ? null : meaningOfExitCode(exitCode),
    assertion: isBad ? findAssertion(stderrTail, stdoutTail) : null,
  }
}
