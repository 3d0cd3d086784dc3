import type { Services } from '#platform/ground/context/context.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { getZipped, packKey, type Place } from './pack-files.ts'
import { findChanges } from './store.ts'

/** The changes of a run. `read` returns a content; null if the storage has lost it. */
export type RecordedChanges = Manifest & { read: (place: Place) => Promise<Buffer | null> }

/**
 * Returns the changes that a run recorded, or null if it recorded none. Contents are read when they are needed. Files
 * that are read in the order of their places unpack each pack once.
 */
export async function readChanges(
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  runId: string,
): Promise<RecordedChanges | null> {
  const row = await findChanges(db, runId)
  const manifest = row && (await readManifest(blobs, row))
  if (!manifest) return null
  let latest: { pack: number; bytes: Promise<Buffer | null> } | undefined
  return {
    ...manifest,
    async read({ pack, start, length }) {
      latest = latest?.pack === pack ? latest : { pack, bytes: getZipped(blobs, packKey(row, pack)) }
      return (await latest.bytes)?.subarray(start, start + length) ?? null
    },
  }
}
