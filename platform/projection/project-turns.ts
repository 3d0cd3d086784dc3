import type { Turn } from '#contract/transcripts.ts'
import type { Services } from '#platform/context/context.ts'
import { readTranscript } from '#platform/transcripts/read-transcript.ts'
import { failureOfTool } from '#platform/projection/signatures/failures-of-run.ts'
import { rowWriter } from './row-writer.ts'
import type { FinishedRun } from './store.ts'
import { toFailureRow, toTurnRow } from './to-rows.ts'

const turnsPerRead = 5000

/**
 * Sends the turns of these runs, including reasoning, to the engine, with a limited number in memory at a time, and the
 * last failed tool call of each run that failed.
 */
export async function projectTurns(
  services: Pick<Services, 'db' | 'blobs' | 'analytics'>,
  organizationId: string,
  runs: readonly FinishedRun[],
) {
  const rows = rowWriter(services.analytics, organizationId, 'turns')
  const failures = rowWriter(services.analytics, organizationId, 'failures')
  for (const run of runs) {
    let lastFailed: Turn | null = null
    for await (const turns of pagesOf(services, run)) {
      for (const turn of turns) await rows.add(toTurnRow(run, turn), turn.text.length)
      lastFailed = turns.findLast(({ failed }) => failed) ?? lastFailed
    }
    const failure = failureOfTool(run, lastFailed)
    if (failure) await failures.add(toFailureRow(run, failure), failure.example.length)
  }
  await rows.send()
  await failures.send()
}

async function* pagesOf(services: Pick<Services, 'db' | 'blobs'>, run: FinishedRun): AsyncGenerator<Turn[]> {
  let afterSeq = 0
  for (;;) {
    const page = await readTranscript(services, run, { limit: turnsPerRead, afterSeq, includeReasoning: true })
    if (!page || page.turns.length === 0) return
    yield page.turns
    if (!page.truncated) return
    afterSeq = page.turns.at(-1)?.seq ?? afterSeq
  }
}
