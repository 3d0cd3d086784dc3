import { randomUUID } from 'node:crypto'

import type { BlobStore, StoredBlob } from './blobs.ts'

export type CopyProgress = { blobs: number; bytes: number }

export type Copied = CopyProgress & { alreadyThere: number }

/** Each waits for the network most of the time. */
const copiesAtOnce = 8

/**
 * Copies every blob that `to` lacks, then the id that ties the store to its database, so an unfinished copy cannot be
 * used by mistake. May be repeated after an interruption: a key always names the same bytes, so what is there with the
 * same size is not copied again. Throws if `to` belongs to another database.
 */
export async function copyBlobs(
  from: BlobStore,
  to: BlobStore,
  onProgress: (done: CopyProgress, all: CopyProgress) => void = () => {},
): Promise<Copied> {
  const toId = await to.readId()
  // An installation of one process may have no id until now.
  const fromId = (await from.readId()) ?? (await from.writeId(toId ?? randomUUID()))
  if (toId !== null && toId !== fromId) throw new Error(`${to.place} has the files of another database`)
  const there = new Map<string, number>()
  for await (const { key, bytes } of to.list()) there.set(key, bytes)
  const missing: StoredBlob[] = []
  let alreadyThere = 0
  for await (const blob of from.list()) {
    if (there.get(blob.key) === blob.bytes) alreadyThere += 1
    else missing.push(blob)
  }
  const all = { blobs: missing.length, bytes: missing.reduce((sum, { bytes }) => sum + bytes, 0) }
  const done = { blobs: 0, bytes: 0 }
  const copySome = async () => {
    for (let blob = missing.pop(); blob; blob = missing.pop()) {
      const bytes = await from.get(blob.key)
      // Deleted since it was listed, with its run.
      if (bytes) await to.put(blob.key, bytes)
      done.blobs += 1
      done.bytes += blob.bytes
      onProgress(done, all)
    }
  }
  await Promise.all(Array.from({ length: copiesAtOnce }, copySome))
  await to.writeId(fromId)
  return { ...done, alreadyThere }
}
