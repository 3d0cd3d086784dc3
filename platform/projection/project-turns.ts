import type { Turn } from '#contract/transcripts.ts'
import type { Services } from '#platform/context/context.ts'
import { readTranscript } from '#platform/transcripts/read-transcript.ts'
import type { AnalyticsRow } from '#platform/context/analytics.ts'
import type { FinishedRun } from './store.ts'
import { toTurnRows } from './to-rows.ts'

const turnsPerRead = 5000

/** The approximate number of rows per insert; a single read may exceed it. */
const rowsPerInsert = 5000
const charactersPerInsert = 8 * 1024 * 1024

/** Sends the turns of these runs, including reasoning, to the engine, with a limited number in memory at a time. */
export async function projectTurns(
  services: Pick<Services, 'db' | 'blobs' | 'analytics'>,
  organizationId: string,
  runs: readonly FinishedRun[],
) {
  let rows: AnalyticsRow[] = []
  let characters = 0
  const send = async () => {
    await services.analytics.insert(organizationId, 'turns', rows)
    rows = []
    characters = 0
  }
  for (const run of runs) {
    for await (const turns of pagesOf(services, run)) {
      rows.push(...toTurnRows(run, turns))
      characters += turns.reduce((sum, turn) => sum + turn.text.length, 0)
      if (rows.length >= rowsPerInsert || characters >= charactersPerInsert) await send()
    }
  }
  await send()
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
