import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import type { WantedImage } from '#platform/engine/images/open-images.ts'
import { removeFolder } from '#platform/ground/files/remove-folder.ts'
import { InfrastructureFailure } from '#platform/queue/run-queue/run-failure.ts'
import type { ContainerLimits } from './container-spec.ts'
import { type PreparedImage, prepareImage } from './prepare-image.ts'
import { pullContainerImage, type PullSettings } from './pull-container-image.ts'
import { removeImage } from './reap-containers.ts'

type Settings = {
  engine: EngineClient
  limits: ContainerLimits
  pulls: PullSettings
  filterFor: (user: 'root' | 'other') => string
  contentFolder: string
}

type Opening = { labels: Readonly<Record<string, string>>; signal: AbortSignal }

/** An image that a run uses until it calls `release`. */
export type HeldContainerImage = { digest: string; image: PreparedImage; release: () => void }

type Entry = { folder: string; prepared: Promise<PreparedImage>; image: PreparedImage | null; users: number }

/**
 * The images of one worker, each prepared once, even for runs that start at the same time. When they take more than
 * their limit, those that no run uses are removed, the least recently used first.
 */
export function openPreparedImages({ engine, limits, pulls, filterFor, contentFolder }: Settings) {
  const entries = new Map<string, Entry>()

  const prepare = (pulled: Awaited<ReturnType<typeof pullContainerImage>>, labels: Opening['labels']) => {
    const { Id } = pulled.inspected
    const folder = join(contentFolder, randomUUID())
    const work = async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const filter = filterFor('other')
      return prepareImage(engine, pulled.inspected, { folder, labels, filter, limits })
    }
    const entry: Entry = { folder, prepared: work(), image: null, users: 0 }
    void (async () => {
      try {
        entry.image = await entry.prepared
        removeUnused()
      } catch {
        // Each run that waits for it reports the failure.
        if (entries.get(Id) === entry) entries.delete(Id)
        await removeFolder(folder).catch(() => {})
      }
    })()
    return entry
  }

  /** What cannot be removed now is removed with the worker's own folder, or by the next worker. */
  const discard = ({ folder, image }: Entry) => {
    void removeFolder(folder).catch(() => {})
    if (image !== null && image.copy !== null) void removeImage(engine, image.copy)
  }

  const removeUnused = () => {
    let total = Array.from(entries.values()).reduce((sum, { image }) => sum + (image?.sizeMb ?? 0), 0)
    for (const [id, entry] of entries) {
      if (pulls.limitMb === 0 || total <= pulls.limitMb) return
      if (entry.users > 0 || entry.image === null) continue
      entries.delete(id)
      total -= entry.image.sizeMb
      discard(entry)
    }
  }

  return {
    async open(wanted: WantedImage, { labels, signal }: Opening): Promise<HeldContainerImage> {
      if (wanted.build) throw new InfrastructureFailure(noBuilds, 'sandbox', { isTransient: false })
      const pulled = await pullContainerImage(engine, wanted, pulls, signal)
      const { Id } = pulled.inspected
      const entry = entries.get(Id) ?? prepare(pulled, labels)
      // The last one is the one used last.
      entries.delete(Id)
      entries.set(Id, entry)
      entry.users += 1
      let isHeld = true
      const release = () => {
        if (!isHeld) return
        isHeld = false
        entry.users -= 1
        const isForgotten = entries.get(Id) !== entry
        if (isForgotten && entry.users === 0) discard(entry)
        removeUnused()
      }
      try {
        const image = await untilAborted(entry.prepared, signal)
        return { digest: pulled.digest, image, release }
      } catch (error) {
        release()
        throw error
      }
    },
    /** Forgets an image that the engine no longer has, so that the next run prepares it again. */
    forget(image: PreparedImage) {
      for (const [id, entry] of entries) if (entry.image === image) entries.delete(id)
    },
  }
}

/** Stops waiting when the run is stopped. The preparation continues, because other runs may wait for it. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal) {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new Error('it was stopped'))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}

const noBuilds =
  'this worker runs containers (SANDBOX=docker) and builds no Dockerfiles: push the image to a registry and name it in the definition, or use a worker with bubblewrap'
