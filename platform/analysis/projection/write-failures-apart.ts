import type { ContentJob } from '#platform/ground/content/content-job.ts'
import { askContent } from '#platform/ground/content/content-pool.ts'
import { FailureRows, failureRowsOf, type PrintedTest } from './failure-rows.ts'

const writeFailures: ContentJob<null, readonly PrintedTest[], FailureRows> = {
  module: new URL('./failure-rows-work.ts', import.meta.url),
  answer: FailureRows,
  processorSeconds: 60,
}

/** Reading less takes no longer than sending it to a process. */
const smallCharacters = 64 * 1024

/** Turns what tests printed into rows. A content process reads long outputs. */
export async function writeFailuresApart(tests: readonly PrintedTest[]): Promise<FailureRows> {
  const characters = tests.reduce((sum, { test }) => sum + test.stdoutTail.length + test.stderrTail.length, 0)
  return characters <= smallCharacters ? failureRowsOf(tests) : askContent(writeFailures, null, tests)
}
