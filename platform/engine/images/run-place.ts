import type { SandboxStatus } from '#contract/identity.ts'
import type { RunFolders, Sandbox, WorldNeeds } from '#platform/engine/sandbox/sandbox.ts'
import { beforeAgent, InfrastructureFailure, RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import type { Images, WantedImage } from './open-images.ts'
import { inRoot, makeRunRoot } from './run-root.ts'

/**
 * `sandbox` runs the commands of one run in its image, one after the other, until `release` is called. What a command leaves in the
 * background lives until then, or until `endProcesses`.
 */
export type RunPlace = {
  sandbox: Sandbox
  imageDigest: string | null
  endProcesses: () => Promise<void>
  release: () => Promise<void>
}

export type PlaceNeeds = {
  signal: AbortSignal
  folders: RunFolders
  /** The folder of the run, which contains its own folders. */
  folder: string
  /** What the place is for: a run or a build, and its attempt. */
  owner: { id: string; attempt: number }
  /** The longest time that the commands may take together. */
  seconds: number
  /** Receives what the build of the image prints. */
  onOutput?: (chunk: Uint8Array) => void
}

/** Where a worker executes commands: one of its backends. */
export type RunPlaces = {
  status: SandboxStatus
  /** Whether commands have a network of their own. */
  hasOwnNetwork: boolean
  /** Why no run can start now, although one may later, or null. Must not wait. Absent if nothing can come back. */
  whyNotReady?: () => string | null
  /** Opens the place of one run. Without an image it has the toolchain of this worker. Throws RunFailure. */
  open: (image: WantedImage | null, needs: PlaceNeeds) => Promise<RunPlace>
}

/** Commands run in this machine's sandbox, with its toolchain or with the root of an unpacked image. */
export const placesInSandbox = (sandbox: Sandbox, images: Images | undefined): RunPlaces => ({
  status: sandbox.status,
  hasOwnNetwork: sandbox.hasOwnNetwork,
  async open(image, { signal, folders, folder, onOutput }) {
    if (!image) return { ...(await inWorld(sandbox, { folders })), imageDigest: null }
    if (!images) throw new InfrastructureFailure('This worker has no image cache', 'sandbox', { isTransient: false })
    const held = await images.open(image, { signal, onOutput })
    try {
      const root = await makeRunRoot(sandbox, held, { folders, folder })
      const place = await inWorld(inRoot(sandbox, root), { folders, root })
      const release = () => place.release().finally(held.release)
      return { ...place, imageDigest: held.facts.digest, release }
    } catch (error) {
      held.release()
      throw error
    }
  },
})

/** Opens a world for the commands of a run. Where there is none, every command's processes end with it. */
async function inWorld(sandbox: Sandbox, needs: WorldNeeds): Promise<Omit<RunPlace, 'imageDigest'>> {
  const nothing = async () => {}
  if (!sandbox.openWorld) return { sandbox, endProcesses: nothing, release: nothing }
  const { spawn, endProcesses, close } = await sandbox.openWorld(needs).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    // An image can contain what no sandbox can be built on, so there the image is the reason.
    if (needs.root) throw new RunFailure(`The image of the run cannot be used: ${reason}`)
    throw new InfrastructureFailure(`The sandbox of the run could not start: ${reason}`, 'sandbox')
  })
  return { sandbox: { ...sandbox, spawn }, endProcesses, release: close }
}

/** Opens a place. A definition whose image cannot be used keeps its agent from starting. */
export const openPlace = (places: RunPlaces, image: WantedImage | null, needs: PlaceNeeds) =>
  places.open(image, needs).catch((error: unknown) => {
    throw beforeAgent(error, 'image_unusable')
  })
