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
  const command = commandOf(row)
  const exitCodeMeaning = exitCode === null ? null : meaningOfExitCode(exitCode)
  const assertion = isBad ? findAssertion(stderrTail, stdoutTail) : null
  return {
    ...toOutcome(row),
    ...(command && { command }),
    ...(exitCodeMeaning !== null && { exitCodeMeaning }),
    ...(assertion !== null && { assertion }),
  }
}
