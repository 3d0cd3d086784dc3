import { and, asc, eq, gt, inArray } from 'drizzle-orm'

import { Turn } from '#contract/transcripts.ts'
import type { Database } from '#platform/database/open-database.ts'
import { transcriptSegments } from '#platform/database/tables/runs.ts'

/** A run as held by one worker. `attempt` is the fencing token. */
export type RunAttempt = { runId: string; attempt: number }

/** The turns firstSeq … lastSeq in one blob of JSON lines. `bytes` is the size of the blob. */
export type Segment = {
  firstSeq: number
  lastSeq: number
  turnCount: number
  reasoningTurnCount: number
  blobKey: string
  bytes: number
}

export const segmentKey = ({ runId, attempt }: RunAttempt, firstSeq: number, lastSeq: number) =>
  `transcripts/${runId}/${attempt}/${firstSeq}-${lastSeq}.jsonl`

export function insertSegments(tx: Database, { runId, attempt }: RunAttempt, segments: readonly Segment[]) {
  return (
    tx
      .insert(transcriptSegments)
      .values(segments.map((segment) => ({ runId, attempt, ...segment })))
      // An earlier attempt whose acknowledgment was lost may have written them.
      .onConflictDoNothing()
  )
}

/** Lists the segments of one attempt with turns after `afterSeq`, in order. */
export function listSegments(db: Database, { runId, attempt }: RunAttempt, afterSeq: number) {
  return db
    .select()
    .from(transcriptSegments)
    .where(
      and(
        eq(transcriptSegments.runId, runId),
        eq(transcriptSegments.attempt, attempt),
        gt(transcriptSegments.lastSeq, afterSeq),
      ),
    )
    .orderBy(asc(transcriptSegments.firstSeq))
}

/**
 * Deletes every segment row of these runs and returns the keys of blobs without a row. Delete those blobs after the
 * commit.
 */
export async function dropSegments(tx: Database, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return []
  const dropped = await tx
    .delete(transcriptSegments)
    .where(inArray(transcriptSegments.runId, [...runIds]))
    .returning({ blobKey: transcriptSegments.blobKey })
  return dropped.map((segment) => segment.blobKey)
}

/** A turn and its size in bytes in the segment, which is about its size in a response. */
export type StoredTurn = { turn: Turn; bytes: number }

const lineFeed = 10

/** Yields the turns of one segment and parses each only when needed, because a page may need only a few. */
export function* readTurns(segment: Uint8Array): Generator<StoredTurn> {
  const lines = Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength)
  for (let start = 0; start < lines.length;) {
    const lineEnd = lines.indexOf(lineFeed, start)
    const end = lineEnd < 0 ? lines.length : lineEnd
    if (end > start) yield { turn: Turn.parse(JSON.parse(lines.toString('utf8', start, end))), bytes: end - start }
    start = end + 1
  }
}
