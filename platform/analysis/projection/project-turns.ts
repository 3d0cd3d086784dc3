import type { Transcript, Turn } from '#contract/transcripts.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { readTranscript } from '#platform/queue/transcripts/read-transcript.ts'
import { failureOfTool } from '#platform/analysis/projection/signatures/failures-of-run.ts'
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
    let missing = 0
    for await (const { turns, missing_turns: unread = 0 } of pagesOf(services, run)) {
      missing += unread
      for (const turn of turns) await rows.add(toTurnRow(run, turn), turn.text.length)
      lastFailed = turns.findLast(({ failed }) => failed) ?? lastFailed
    }
    if (missing > 0) console.error(`analytics lacks ${missing} turns of run ${run.id}, because they cannot be read`)
    const failure = failureOfTool(run, lastFailed)
    if (failure) await failures.add(toFailureRow(run, failure), failure.example.length)
  }
  await rows.send()
  await failures.send()
}

async function* pagesOf(services: Pick<Services, 'db' | 'blobs'>, run: FinishedRun): AsyncGenerator<Transcript> {
  let afterSeq = 0
  for (;;) {
    const page = await readTranscript(services, run, { limit: turnsPerRead, afterSeq, includeReasoning: true })
    if (!page) return
    yield page
    if (!page.truncated) return
    afterSeq = page.turns.at(-1)?.seq ?? afterSeq
  }
}
