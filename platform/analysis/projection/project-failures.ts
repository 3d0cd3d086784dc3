import { failuresOfEnding } from '#platform/analysis/projection/signatures/failures-of-run.ts'
import type { Services } from '#platform/ground/context/context.ts'
import type { ContentJob } from '#platform/ground/content/content-job.ts'
import { askContent } from '#platform/ground/content/content-pool.ts'
import { rowWriter } from './row-writer.ts'
import { findPrintedTests, type FinishedRun, type TestPosition } from './store.ts'
import { toFailureRow } from './to-rows.ts'
import { FailureRows, failureRowsOf, type PrintedTest } from './failure-rows.ts'

const writeFailures: ContentJob<null, readonly PrintedTest[], FailureRows> = {
  module: new URL('./failure-rows-work.ts', import.meta.url),
  answer: FailureRows,
  processorSeconds: 60,
}

/** Reading less takes no longer than sending it to a process. */
const smallCharacters = 64 * 1024

/** Turns what tests printed into rows. A content process reads long outputs. */
async function writeFailuresApart(organizationId: string, tests: readonly PrintedTest[]): Promise<FailureRows> {
  const characters = tests.reduce((sum, { test }) => sum + test.stdoutTail.length + test.stderrTail.length, 0)
  return characters <= smallCharacters ? failureRowsOf(tests) : askContent(organizationId, writeFailures, null, tests)
}

/** A test has at most two tails of 64 KiB, so this is at most 2.5 MB. */
const testsPerRead = 20

/** Sends the failures of these runs and of their tests, and what the tests printed, to the engine. */
export async function projectFailures(
  { db, analytics }: Pick<Services, 'db' | 'analytics'>,
  organizationId: string,
  runs: readonly FinishedRun[],
) {
  const failures = rowWriter(analytics, organizationId, 'failures')
  const outputs = rowWriter(analytics, organizationId, 'outputs')
  const runsById = new Map(runs.map((run) => [run.id, run]))
  for (const run of runs) for (const failure of failuresOfEnding(run)) await failures.add(toFailureRow(run, failure))
  const isNew = repeatedTexts()
  let after: TestPosition | undefined
  do {
    const tests = await findPrintedTests(db, [...runsById.keys()], { after, limit: testsPerRead })
    const found = await writeFailuresApart(
      organizationId,
      tests.flatMap((test) => {
        const run = runsById.get(test.runId)
        const newTexts = streams.filter((stream) => isNew(test.runId, stream, test[`${stream}Tail`]))
        return run ? [{ run, test, newTexts }] : []
      }),
    )
    await failures.addLines(found.failures.lines, found.failures.rows)
    await outputs.addLines(found.outputs.lines, found.outputs.rows)
    after = tests.length === testsPerRead ? tests.at(-1) : undefined
  } while (after)
  await failures.send()
  await outputs.send()
}

const streams = ['stdout', 'stderr'] as const

/** Tests of an imported run share one terminal. Its text is stored once, with the first of them. */
function repeatedTexts() {
  const previous = new Map<string, { runId: string; text: string }>()
  return (runId: string, stream: string, text: string) => {
    const last = previous.get(stream)
    if (text === '') return false
    previous.set(stream, { runId, text })
    return last?.runId !== runId || last.text !== text
  }
}
