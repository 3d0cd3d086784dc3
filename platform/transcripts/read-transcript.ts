import type { Transcript, Turn } from '#contract/transcripts.ts'
import type { Services } from '#platform/context/context.ts'
import type { runs } from '#platform/database/tables/runs.ts'
import { listSegments, readTurns, type StoredTurn } from './segments.ts'

type TranscribedRun = Pick<
  typeof runs.$inferSelect,
  'id' | 'attempt' | 'transcriptPublished' | 'turnCount' | 'reasoningTurnCount' | 'skippedMalformed'
>

/** `limit` ≤ 10,000 turns; only those with seq > `afterSeq`; reasoning turns only when asked for. */
export type TranscriptQuery = { limit: number; afterSeq?: number | undefined; includeReasoning: boolean }

/** A page ends here too, so that readers of long conversations cannot fill the memory of the platform. */
const bytesPerPage = 8 * 1024 * 1024

/**
 * The run's conversation so far, oldest first, or null while its `transcriptStatus` is `unavailable`.
 * `total` counts the turns of the kinds asked for in the whole conversation; `truncated` says that more follow, be it
 * after `limit` turns or fewer: a page ends at 8 MiB, with one turn at least.
 */
export async function readTranscript(
  services: Pick<Services, 'db' | 'blobs'>,
  run: TranscribedRun,
  query: TranscriptQuery,
): Promise<Transcript | null> {
  if (!run.transcriptPublished) return null
  const { limit, includeReasoning } = query
  const { turns, truncated, missing } = await collectTurns(services, run, query)
  return {
    turns,
    include_reasoning: includeReasoning,
    limit,
    truncated,
    shown: turns.length,
    total: run.turnCount - (includeReasoning ? 0 : run.reasoningTurnCount),
    skipped_malformed: run.skippedMalformed,
    ...(missing > 0 && { missing_turns: missing }),
  }
}

async function collectTurns(
  services: Pick<Services, 'db' | 'blobs'>,
  run: TranscribedRun,
  { limit, afterSeq = 0, includeReasoning }: TranscriptQuery,
): Promise<{ turns: Turn[]; truncated: boolean; missing: number }> {
  const turns: Turn[] = []
  let missing = 0
  let pageBytes = 0
  for await (const found of turnsAfter(services, run, afterSeq)) {
    if ('missing' in found) {
      missing += found.missing
      continue
    }
    const { turn, bytes } = found
    if (!includeReasoning && turn.kind === 'reasoning') continue
    const isFull = turns.length >= limit || pageBytes + bytes > bytesPerPage
    if (isFull && turns.length > 0) return { turns, truncated: true, missing }
    turns.push(turn)
    pageBytes += bytes
  }
  return { turns, truncated: false, missing }
}

/** Every turn after `afterSeq`, with one segment in memory at a time. For a lost segment it gives the number of its turns. */
async function* turnsAfter(
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  run: TranscribedRun,
  afterSeq: number,
): AsyncGenerator<StoredTurn | { missing: number }> {
  let lastSeq = afterSeq
  // The run may settle and merge its segments while we read; the second look finds the merged ones.
  for (const isLastLook of [false, true]) {
    let isComplete = true
    for (const segment of await listSegments(db, { runId: run.id, attempt: run.attempt }, lastSeq)) {
      const bytes = await blobs.get(segment.blobKey)
      isComplete &&= bytes !== null
      if (!isComplete && !isLastLook) break
      if (!bytes) {
        yield { missing: segment.lastSeq - Math.max(segment.firstSeq - 1, lastSeq) }
        lastSeq = segment.lastSeq
      }
      for (const stored of bytes ? readTurns(bytes) : []) {
        if (stored.turn.seq <= lastSeq) continue
        yield stored
        lastSeq = stored.turn.seq
      }
    }
    if (isComplete) return
  }
}
