import type { Database } from '#platform/database/open-database.ts'
import type { RunAttempt, Segment } from './segments.ts'
import { deleteSegments, insertSegments } from './store.ts'

/** Does not change segments that an earlier attempt, whose acknowledgment was lost, has written. */
export async function recordSegments(tx: Database, run: RunAttempt, segments: readonly Segment[]) {
  if (segments.length > 0) await insertSegments(tx, run, segments)
}

/**
 * Deletes every segment row of these runs and returns the keys of blobs without a row. Delete those blobs after the
 * commit.
 */
export async function dropSegments(tx: Database, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return []
  return (await deleteSegments(tx, runIds)).map(({ blobKey }) => blobKey)
}
