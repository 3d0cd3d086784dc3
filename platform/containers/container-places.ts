import { chown } from 'node:fs/promises'

import type { SandboxStatus } from '#contract/identity.ts'
import type { EngineClient } from '#platform/containers/engine/engine-client.ts'
import { EngineError, whyEngineFailed } from '#platform/containers/engine/engine-error.ts'
import type { WantedImage } from '#platform/images/open-images.ts'
import type { PlaceNeeds, RunPlace, RunPlaces } from '#platform/images/run-place.ts'
import { copyInto } from '#platform/images/run-root.ts'
import { InfrastructureFailure, RunFailure } from '#platform/run-queue/run-failure.ts'
import { toLabels } from './container-labels.ts'
import type { ContainerLimits } from './container-spec.ts'
import { openPreparedImages } from './prepared-images.ts'
import type { PullSettings } from './pull-container-image.ts'
import { spawnInContainer } from './spawn-in-container.ts'
import { startContainer } from './start-container.ts'

export type ContainerSettings = {
  engine: EngineClient
  status: SandboxStatus
  /** The image of environments that name none. */
  defaultImage: WantedImage | null
  limits: ContainerLimits
  pulls: PullSettings
  /** The filter of system calls, as the engine reads it. */
  filterFor: (user: 'root' | 'other') => string
  /** The folder of all workers of this installation, and that of this worker. */
  workRoot: string
  workFolder: string
  /** A folder for the content of images, which is removed with the worker. */
  contentFolder: string
}

/** What the worker still does after a run's own time has passed: it compares files and stores them. */
const marginSeconds = 900

/** Every run has a container of its own, in which all its commands run. */
export function containerPlaces(settings: ContainerSettings): RunPlaces {
  const { engine, status, limits, workRoot, workFolder } = settings
  const preparedImages = openPreparedImages(settings)
  const labelsFor = ({ owner, seconds }: Pick<PlaceNeeds, 'owner' | 'seconds'>) =>
    toLabels({
      workRoot,
      workFolder,
      run: owner.id,
      attempt: String(owner.attempt),
      deadline: new Date(Date.now() + (seconds + marginSeconds) * 1000),
    })

  const open = async (wanted: WantedImage, needs: PlaceNeeds): Promise<RunPlace> => {
    const { folders, signal, seconds } = needs
    const labels = labelsFor(needs)
    const { digest, image } = await preparedImages.open(wanted, { labels, signal })
    const { uid, gid, inside, content } = image
    for (const name of ['workspace', 'home'] as const) {
      await copyInto(content[name], folders[name])
      await chown(folders[name], uid, gid)
    }
    const user = { uid, gid }
    const filter = settings.filterFor(uid === 0 ? 'root' : 'other')
    const spec = { image: image.id, user, labels, seconds: seconds + marginSeconds, folders, inside, limits, filter }
    const container = await startContainer(engine, spec, signal)
    return {
      imageDigest: digest,
      sandbox: {
        status,
        hasOwnNetwork: true,
        spawn: spawnInContainer({ engine, container, image, limits }),
        inside: () => inside,
      },
      release: container.remove,
    }
  }

  return {
    status,
    hasOwnNetwork: true,
    async open(image, needs) {
      const wanted = image ?? settings.defaultImage
      if (!wanted) throw new RunFailure(noImage)
      try {
        return await open(wanted, needs)
      } catch (error) {
        if (needs.signal.aborted) throw new RunFailure(`The image ${wanted.name} was not prepared: it was stopped`)
        const failure = toFailure(error, engine)
        throw failure.withReason(`The image ${wanted.name} cannot be used: ${failure.message}`)
      }
    },
  }
}

const noImage =
  'Runs of this worker execute in containers, and the environment has no image: name one in the definition (environments[].image), or let the operator set DOCKER_IMAGE'

/** An engine that answers with an error may do so because of the image; one that does not answer is the platform's. */
export function toFailure(error: unknown, { socketPath }: Pick<EngineClient, 'socketPath'>): RunFailure {
  if (error instanceof RunFailure) return error
  const reason = whyEngineFailed(error, socketPath)
  if (!(error instanceof EngineError)) return new InfrastructureFailure(reason, 'sandbox')
  const hasNoShell = /exec: \\?"sh\\?"/.test(error.message)
  return new RunFailure(hasNoShell ? 'it has no shell (sh), which its container needs to stay alive' : reason)
}
