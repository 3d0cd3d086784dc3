import type { Transcript, Turn } from '#contract/runs.ts'
import type { Services } from '#platform/context.ts'
import type { runs } from '#platform/runs/tables.ts'
import { listSegments, readTurns } from './segments.ts'

type TranscribedRun = Pick<
  typeof runs.$inferSelect,
  'id' | 'attempt' | 'transcriptPublished' | 'turnCount' | 'reasoningTurnCount' | 'skippedMalformed'
>

/** `limit` ≤ 10,000 turns; only those with seq > `afterSeq`; reasoning turns only when asked for. */
export type TranscriptQuery = { limit: number; afterSeq?: number | undefined; includeReasoning: boolean }

/**
 * The run's conversation so far, oldest first, or null while it is unpublished (spec: `transcriptStatus` `unavailable`).
 * `total` counts the turns of the kinds asked for in the whole conversation; `truncated` says that more follow.
 */
export async function readTranscript(
  services: Pick<Services, 'db' | 'blobs'>,
  run: TranscribedRun,
  query: TranscriptQuery,
): Promise<Transcript | null> {
  if (!run.transcriptPublished) return null
  const { limit, includeReasoning } = query
  const found = await collectTurns(services, run, query)
  const turns = found.slice(0, limit)
  return {
    turns,
    include_reasoning: includeReasoning,
    limit,
    truncated: found.length > limit,
    shown: turns.length,
    total: run.turnCount - (includeReasoning ? 0 : run.reasoningTurnCount),
    skipped_malformed: run.skippedMalformed,
  }
}

/** Up to one turn more than the limit, to know whether more follow. */
async function collectTurns(
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  run: TranscribedRun,
  { limit, afterSeq = 0, includeReasoning }: TranscriptQuery,
): Promise<Turn[]> {
  const wanted = (turn: Turn) => includeReasoning || turn.kind !== 'reasoning'
  // The run may settle and merge its segments while we read; the second look finds the merged ones.
  for (const isLastLook of [false, true]) {
    const turns: Turn[] = []
    let isComplete = true
    for (const segment of await listSegments(db, { runId: run.id, attempt: run.attempt }, afterSeq)) {
      const inSegment = await readTurns(blobs, segment.blobKey)
      if (!inSegment) isComplete = false
      turns.push(...(inSegment ?? []).filter((turn) => turn.seq > afterSeq && wanted(turn)))
      if (turns.length > limit) break
    }
    if (isComplete || isLastLook) return turns
  }
  return []
}
