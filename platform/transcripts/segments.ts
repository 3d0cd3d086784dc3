import { and, asc, eq, gt, inArray } from 'drizzle-orm'

import { Turn } from '#contract/runs.ts'
import type { Blobs } from '#platform/blobs/blobs.ts'
import type { Database } from '#platform/database/open-database.ts'
import { transcriptSegments } from '#platform/runs/tables.ts'

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
  return tx.insert(transcriptSegments).values(segments.map((segment) => ({ runId, attempt, ...segment })))
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

/** Null when the blob is gone: its segment has been merged since it was listed. */
export async function readTurns(blobs: Blobs, blobKey: string): Promise<Turn[] | null> {
  const bytes = await blobs.get(blobKey)
  if (!bytes) return null
  const lines = Buffer.from(bytes).toString('utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => Turn.parse(JSON.parse(line)))
}
