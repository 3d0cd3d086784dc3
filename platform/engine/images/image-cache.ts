import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import { removeFolder } from '#platform/ground/files/remove-folder.ts'
import { InfrastructureFailure } from '#platform/queue/run-queue/run-failure.ts'
import { forgetLock, lockWhenFree, tryLock } from './cache-lock.ts'
import { type ImageFacts, readFacts } from './image-facts.ts'

/** `limitMb` 0 means no limit. */
export type CacheSettings = { folder: string; limitMb: number }

/** An image in the cache that stays there until `release` is called. */
export type HeldImage = { facts: ImageFacts; root: string; release: () => void }

const imagesOf = (cache: string) => join(cache, 'unpacked')
const partsOf = (cache: string) => join(cache, 'partial')

/** Returns the image with this key, which no eviction removes while it is held, or null. */
export async function holdImage({ folder: cache }: CacheSettings, key: string, signal: AbortSignal) {
  const lock = await lockWhenFree(cache, key, 'shared', signal)
  const folder = join(imagesOf(cache), key)
  const facts = await readFacts(folder).catch((error: unknown) => {
    lock.release()
    throw error
  })
  if (!facts) {
    lock.release()
    return null
  }
  // The time of the last use, for the eviction.
  await utimes(folder, new Date(), new Date()).catch(() => {})
  return { facts, root: join(folder, 'root'), release: lock.release } satisfies HeldImage
}

/** Makes a folder for work in progress, which only the caller uses until the work is done. It is empty at the start. */
export async function inScratch<Result>(
  { folder: cache }: CacheSettings,
  name: string,
  signal: AbortSignal,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const lock = await lockWhenFree(cache, `partial-${name}`, 'exclusive', signal)
  const folder = join(partsOf(cache), name)
  try {
    await removeFolder(folder)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await work(folder)
  } finally {
    await removeFolder(folder).catch(() => {})
    lock.release()
  }
}

/** Like `inScratch`, in a folder whose name is never used again. */
export async function inNewScratch<Result>(
  settings: CacheSettings,
  signal: AbortSignal,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const name = `once-${randomUUID()}`
  return inScratch(settings, name, signal, work).finally(() => forgetLock(settings.folder, `partial-${name}`))
}

/**
 * Makes room in the cache and moves a finished image there in one step. If another worker has stored the same image
 * meanwhile, that one stays.
 */
export async function storeImage(settings: CacheSettings, key: string, finished: string, signal: AbortSignal) {
  const { folder: cache } = settings
  const facts = await readFacts(finished)
  if (!facts) throw new Error('The finished image has no facts')
  const lock = await lockWhenFree(cache, 'room', 'exclusive', signal)
  try {
    await mkdir(imagesOf(cache), { recursive: true, mode: 0o700 })
    await makeRoom(settings, facts.kilobytes)
    await rename(finished, join(imagesOf(cache), key)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    lock.release()
  }
}

/** Unpacks one image at a time, so that images which are pulled together stay within the limit of the cache together. */
export async function inUnpackingTurn<Result>(
  settings: CacheSettings,
  { estimatedKb, signal }: { estimatedKb: number; signal: AbortSignal },
  unpack: () => Promise<Result>,
): Promise<Result> {
  const turn = await lockWhenFree(settings.folder, 'unpacking', 'exclusive', signal)
  try {
    // Unpacked, an image may be smaller than its layers, so one whose layers exceed the whole cache is measured first.
    if (estimatedKb <= settings.limitMb * 1024) {
      const room = await lockWhenFree(settings.folder, 'room', 'exclusive', signal)
      await makeRoom(settings, estimatedKb).finally(room.release)
    }
    return await unpack()
  } finally {
    turn.release()
  }
}

/** Removes images that no run uses, the least recently used first, until the new one fits. */
async function makeRoom({ folder: cache, limitMb }: CacheSettings, neededKb: number) {
  await removeAbandoned(cache)
  if (limitMb === 0) return
  const images = await listImages(cache)
  const room = () => limitMb * 1024 - images.reduce((sum, { kilobytes }) => sum + kilobytes, 0)
  for (const image of images.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (room() >= neededKb) return
    if (await evict(cache, image.key)) images.splice(images.indexOf(image), 1)
  }
  if (room() >= neededKb) return
  const inUse = limitMb - Math.floor(room() / 1024)
  throw new InfrastructureFailure(
    `the image cache is full: it needs ${Math.ceil(neededKb / 1024)} MiB, the cache may have ${limitMb} MiB (IMAGE_CACHE_MB), and images of current runs occupy ${inUse} MiB`,
    'disk_full',
    { isTransient: neededKb <= limitMb * 1024 },
  )
}

async function listImages(cache: string) {
  const keys = await readdir(imagesOf(cache)).catch(() => [])
  const found = await Promise.all(
    keys.map(async (key) => {
      const folder = join(imagesOf(cache), key)
      const [facts, stats] = await Promise.all([readFacts(folder), stat(folder).catch(() => null)])
      return facts && stats ? [{ key, kilobytes: facts.kilobytes, usedAt: stats.mtimeMs }] : []
    }),
  )
  return found.flat()
}

/** Returns false if a run uses the image. */
async function evict(cache: string, key: string) {
  const lock = tryLock(cache, key, 'exclusive')
  if (!lock) return false
  try {
    // Renamed first, so that no worker finds a half-removed image.
    await mkdir(partsOf(cache), { recursive: true, mode: 0o700 })
    await rename(join(imagesOf(cache), key), join(partsOf(cache), `evicted-${key}`))
    await removeFolder(join(partsOf(cache), `evicted-${key}`))
    return true
  } finally {
    lock.release()
  }
}

/** Removes the unfinished work of killed workers. */
async function removeAbandoned(cache: string) {
  for (const name of await readdir(partsOf(cache)).catch(() => [])) {
    const lock = tryLock(cache, `partial-${name}`, 'exclusive')
    if (!lock) continue
    await removeFolder(join(partsOf(cache), name)).catch(() => {})
    lock.release()
    // Another worker may wait for the lock of any other name, and would then hold a lock that is no longer a file.
    if (name.startsWith('once-')) await forgetLock(cache, `partial-${name}`)
  }
}
