import type { Services } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import type { RunAttempt } from '#platform/queue/transcripts/segments.ts'
import { manifestKey, packKey } from './pack-files.ts'
import { deleteChanges, findChanges, insertChanges } from './store.ts'
import type { WrittenChanges } from './store-changes.ts'

/** Records that a run has these changes. Call it in the transaction that settles the run. */
export async function recordChanges(tx: Database, { runId, attempt }: RunAttempt, { packs }: WrittenChanges) {
  await insertChanges(tx, { runId, attempt, packs })
}

/** Deletes the changes of these runs. Returns the keys of their blobs, to delete after the commit. */
export async function dropChanges(tx: Database, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return []
  return (await deleteChanges(tx, runIds)).flatMap(changesKeys)
}

/** Deletes the blobs of all attempts of a run except the recorded one. Lost workers and late ones left them. */
export async function deleteUnrecordedChanges({ db, blobs }: Pick<Services, 'db' | 'blobs'>, run: RunAttempt) {
  const recorded = await findChanges(db, run.runId)
  for (let attempt = 1; attempt <= run.attempt; attempt += 1) {
    if (attempt !== recorded?.attempt) await deleteBlobs(blobs, { ...run, attempt })
  }
}

/** The packs of an attempt are written one after the other, so they end where the first is missing. */
async function deleteBlobs(blobs: Services['blobs'], run: RunAttempt) {
  await blobs.delete(manifestKey(run))
  for (let pack = 0; await blobs.has(packKey(run, pack)); pack += 1) await blobs.delete(packKey(run, pack))
}

/** The keys of the blobs with the changes of a run. */
export const changesKeys = ({ packs, ...run }: RunAttempt & { packs: number }) => [
  manifestKey(run),
  ...Array.from({ length: packs }, (_, pack) => packKey(run, pack)),
]
