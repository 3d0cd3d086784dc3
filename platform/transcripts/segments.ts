import { and, asc, eq, gt, inArray } from 'drizzle-orm'

import { Turn } from '#contract/transcripts.ts'
import type { Database } from '#platform/database/open-database.ts'
import { transcriptSegments } from '#platform/database/tables/runs.ts'

/** A run as one worker holds it: `attempt` is the fencing token. */
export type RunAttempt = { runId: string; attempt: number }

/** Turns firstSeq … lastSeq in one blob of JSON lines; `bytes` is its size. */
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
      // A first attempt whose answer was lost may have written them.
      .onConflictDoNothing()
  )
}

/** The segments of one attempt that hold turns after `afterSeq`, in order. */
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

/** Forgets every segment of these runs and returns the blobs nobody names any more; delete them after the commit. */
export async function dropSegments(tx: Database, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return []
  const dropped = await tx
    .delete(transcriptSegments)
    .where(inArray(transcriptSegments.runId, [...runIds]))
    .returning({ blobKey: transcriptSegments.blobKey })
  return dropped.map((segment) => segment.blobKey)
}

/** A turn and the bytes it takes in its segment, which is about what it takes in an answer. */
export type StoredTurn = { turn: Turn; bytes: number }

const lineFeed = 10

/** The turns of one segment, each parsed when it is asked for: a page may need few of many. */
export function* readTurns(segment: Uint8Array): Generator<StoredTurn> {
  const lines = Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength)
  for (let start = 0; start < lines.length;) {
    const lineEnd = lines.indexOf(lineFeed, start)
    const end = lineEnd < 0 ? lines.length : lineEnd
    if (end > start) yield { turn: Turn.parse(JSON.parse(lines.toString('utf8', start, end))), bytes: end - start }
    start = end + 1
  }
}
