import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { columnNames, givenRows } from '#platform/ground/database/rows-as-json.ts'
import { runs, transcriptSegments } from '#platform/ground/database/tables/runs.ts'
import type { RunAttempt, Segment } from './segments.ts'

const segmentColumns = [
  'runId',
  'attempt',
  'firstSeq',
  'lastSeq',
  'turnCount',
  'reasoningTurnCount',
  'blobKey',
  'imageKeys',
]

export const insertSegments = (tx: Database, segments: readonly (RunAttempt & Segment)[]) =>
  tx.execute(sql`
    insert into ${transcriptSegments} (${columnNames(segmentColumns)})
    select ${columnNames(segmentColumns)} from ${givenRows(transcriptSegments, segmentColumns, segments)}
    on conflict do nothing`)

/** Lists the segments of one attempt with turns after `afterSeq`, in order. */
export const findSegments = (db: Database, { runId, attempt }: RunAttempt, afterSeq: number) =>
  db
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

export const deleteSegments = (tx: Database, runIds: readonly string[]) =>
  tx
    .delete(transcriptSegments)
    .where(inArray(transcriptSegments.runId, [...runIds]))
    .returning({ blobKey: transcriptSegments.blobKey, imageKeys: transcriptSegments.imageKeys })

/** The runs keep their counts of turns. */
export const unpublishTranscripts = (tx: Database, runIds: readonly string[]) =>
  tx
    .update(runs)
    .set({ transcriptPublished: false })
    .where(inArray(runs.id, [...runIds]))

export type TranscriptCounts = Pick<
  typeof runs.$inferSelect,
  'turnCount' | 'reasoningTurnCount' | 'skippedMalformed' | 'unknownLines'
>

/** Publishes the transcript of a running attempt. False, and nothing changed, when the worker no longer holds the run. */
export async function publishTranscript(tx: Database, { runId, attempt }: RunAttempt, counts: TranscriptCounts) {
  const published = await tx
    .update(runs)
    .set({ transcriptPublished: true, ...counts })
    .where(and(eq(runs.id, runId), eq(runs.attempt, attempt), eq(runs.status, 'running')))
    .returning({ id: runs.id })
  return published.length > 0
}
