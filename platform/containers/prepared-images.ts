import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { EngineClient } from '#platform/containers/engine/engine-client.ts'
import type { WantedImage } from '#platform/images/open-images.ts'
import { InfrastructureFailure } from '#platform/run-queue/run-failure.ts'
import type { ContainerLimits } from './container-spec.ts'
import { type PreparedImage, prepareImage } from './prepare-image.ts'
import { pullContainerImage, type PullSettings } from './pull-container-image.ts'

type Settings = {
  engine: EngineClient
  limits: ContainerLimits
  pulls: PullSettings
  filterFor: (user: 'root' | 'other') => string
  contentFolder: string
}

type Opening = { labels: Readonly<Record<string, string>>; signal: AbortSignal }

const keptImages = 50

/** The images of one worker, each prepared once, also for runs that start at the same time. */
export function openPreparedImages({ engine, limits, pulls, filterFor, contentFolder }: Settings) {
  const prepared = new Map<string, Promise<PreparedImage>>()

  const prepare = async (pulled: Awaited<ReturnType<typeof pullContainerImage>>, { labels }: Opening) => {
    const folder = join(contentFolder, randomUUID())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Not the signal of one run, because other runs wait for the same image.
    const signal = AbortSignal.timeout(prepareTimeoutMs)
    return prepareImage(engine, pulled.inspected, {
      folder,
      labels,
      filter: filterFor('other'),
      limits,
      signal,
    })
  }

  return {
    async open(wanted: WantedImage, opening: Opening): Promise<{ digest: string; image: PreparedImage }> {
      if (wanted.build) throw new InfrastructureFailure(noBuilds, 'sandbox', { isTransient: false })
      const pulled = await pullContainerImage(engine, wanted, pulls, opening.signal)
      const { Id } = pulled.inspected
      const image = prepared.get(Id) ?? prepare(pulled, opening)
      prepared.delete(Id)
      prepared.set(Id, image)
      image.catch(() => prepared.delete(Id))
      const [oldest] = prepared.keys()
      // Its folder stays until the worker ends: a run may be copying it.
      if (prepared.size > keptImages && oldest !== undefined) prepared.delete(oldest)
      return { digest: pulled.digest, image: await image }
    },
  }
}

const prepareTimeoutMs = 1_800_000

const noBuilds =
  'this worker runs containers (SANDBOX=docker) and builds no Dockerfiles: push the image to a registry and name it in the definition, or use a worker with bubblewrap'
