import type { Transcript, Turn } from '#contract/transcripts.ts'
import type { Services } from '#platform/ground/context/context.ts'
import type { runs } from '#platform/ground/database/tables/runs.ts'
import { readTurns, type StoredTurn } from './segments.ts'
import { findSegments } from './store.ts'

type TranscribedRun = Pick<
  typeof runs.$inferSelect,
  'id' | 'attempt' | 'transcriptPublished' | 'turnCount' | 'reasoningTurnCount' | 'skippedMalformed' | 'unknownLines'
>

/** `limit` is at most 10,000 turns. Returns turns with seq > `afterSeq`, and reasoning turns only on request. */
export type TranscriptQuery = { limit: number; afterSeq?: number | undefined; includeReasoning: boolean }

/** A page also ends here, so that readers of long transcripts cannot fill the platform's memory. */
const bytesPerPage = 8 * 1024 * 1024

/**
 * Returns the transcript so far, oldest turn first, or null while it is unpublished (`transcriptStatus` is `unavailable`). `total` counts the turns of the requested kinds in the whole transcript. `truncated` means that more
 * turns follow: a page ends after `limit` turns or 8 MiB, and has at least one turn.
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
    ...(run.unknownLines && { unknown_lines: run.unknownLines }),
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

/**
 * Yields every turn after `afterSeq`, with one segment in memory at a time. For a lost segment, yields the number of
 * its turns, and for a line that is no turn, one.
 */
async function* turnsAfter(
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  run: TranscribedRun,
  afterSeq: number,
): AsyncGenerator<StoredTurn | { missing: number }> {
  let lastSeq = afterSeq
  // The run may settle and merge its segments during this read. The second pass finds the merged segments.
  for (const isLastLook of [false, true]) {
    let isComplete = true
    for (const segment of await findSegments(db, { runId: run.id, attempt: run.attempt }, lastSeq)) {
      const bytes = await blobs.get(segment.blobKey)
      isComplete &&= bytes !== null
      if (!isComplete && !isLastLook) break
      if (!bytes) {
        yield { missing: segment.lastSeq - Math.max(segment.firstSeq - 1, lastSeq) }
        lastSeq = segment.lastSeq
      }
      let seq = segment.firstSeq - 1
      for (const stored of bytes ? readTurns(bytes) : []) {
        seq = stored?.turn.seq ?? seq + 1
        if (seq <= lastSeq) continue
        yield stored ?? { missing: 1 }
        lastSeq = seq
      }
    }
    if (isComplete) return
  }
}
