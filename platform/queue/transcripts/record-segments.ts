import type { Database } from '#platform/ground/database/open-database.ts'
import { keysOf, type RunAttempt, type Segment } from './segments.ts'
import { deleteSegments, insertSegments, unpublishTranscripts } from './store.ts'

type WrittenSegments = { run: RunAttempt; segments: readonly Segment[] }

/** Does not change segments that an earlier attempt, whose acknowledgment was lost, has written. */
export async function recordSegments(tx: Database, written: readonly WrittenSegments[]) {
  const rows = written.flatMap(({ run: { runId, attempt }, segments }) =>
    segments.map((segment) => ({ runId, attempt, ...segment })),
  )
  if (rows.length > 0) await insertSegments(tx, rows)
}

/**
 * Deletes every segment row of these runs and returns the keys of blobs without a row. Delete those blobs after the
 * commit.
 */
export async function dropSegments(tx: Database, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return []
  return keysOf(await deleteSegments(tx, runIds))
}

/** Removes the transcripts of ended runs. Returns the keys of their blobs, to delete after the commit. */
export async function removeTranscripts(tx: Database, runIds: readonly string[]): Promise<string[]> {
  await unpublishTranscripts(tx, runIds)
  return dropSegments(tx, runIds)
}
