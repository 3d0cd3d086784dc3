import type { Services } from '#platform/ground/context/context.ts'
import { failureOfTest, failuresOfEnding } from '#platform/analysis/projection/signatures/failures-of-run.ts'
import { rowWriter } from './row-writer.ts'
import { findPrintedTests, type FinishedRun, type TestPosition } from './store.ts'
import { toFailureRow, toOutputRow } from './to-rows.ts'

/** A test has at most two tails of 64 KiB, so this is at most 25 MB. */
const testsPerRead = 200

/** Sends the failures of these runs and of their tests, and what the tests printed, to the engine. */
export async function projectFailures(
  { db, analytics }: Pick<Services, 'db' | 'analytics'>,
  organizationId: string,
  runs: readonly FinishedRun[],
) {
  const failures = rowWriter(analytics, organizationId, 'failures')
  const outputs = rowWriter(analytics, organizationId, 'outputs')
  const runsById = new Map(runs.map((run) => [run.id, run]))
  for (const run of runs)
    for (const failure of failuresOfEnding(run)) await failures.add(toFailureRow(run, failure), failure.example.length)
  const isNew = repeatedTexts()
  let after: TestPosition | undefined
  do {
    const tests = await findPrintedTests(db, [...runsById.keys()], { after, limit: testsPerRead })
    for (const test of tests) {
      const run = runsById.get(test.runId)
      if (!run) continue
      const failure = failureOfTest(run, test)
      if (failure) await failures.add(toFailureRow(run, failure), failure.example.length)
      for (const [stream, text] of [
        ['stdout', test.stdoutTail],
        ['stderr', test.stderrTail],
      ] as const) {
        if (text === '' || !isNew(test.runId, stream, text)) continue
        await outputs.add(toOutputRow(run, test, stream, text), text.length)
      }
    }
    after = tests.length === testsPerRead ? tests.at(-1) : undefined
  } while (after)
  await failures.send()
  await outputs.send()
}

/** Tests of an imported run share one terminal. Its text is stored once, with the first of them. */
function repeatedTexts() {
  const previous = new Map<string, { runId: string; text: string }>()
  return (runId: string, stream: string, text: string) => {
    const last = previous.get(stream)
    previous.set(stream, { runId, text })
    return last?.runId !== runId || last.text !== text
  }
}
