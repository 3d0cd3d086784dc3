import type { SandboxStatus } from '#contract/identity.ts'
import { messageOf } from '#contract/wire/message-of.ts'
import { listeningPorts } from '#platform/engine/sandbox/listening-ports.ts'
import { openLowPorts } from '#platform/engine/sandbox/open-low-ports.ts'
import type { RunFolders, Sandbox, SharedNetwork, WorldNeeds } from '#platform/engine/sandbox/sandbox.ts'
import { beforeAgent, InfrastructureFailure, RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import type { HeldImage } from './image-cache.ts'
import type { OwnCommand } from './image-config.ts'
import type { Images, WantedImage } from './open-images.ts'
import { inRoot, makeRunRoot } from './run-root.ts'

/**
 * `sandbox` runs the commands of one run in its image, one after the other, until `release` is called. What a command leaves in the
 * background lives until then, or until `endProcesses`.
 */
export type RunPlace = {
  sandbox: Sandbox
  imageDigest: string | null
  /** What a container of its image starts by itself. Nothing starts it here. */
  ownCommand: OwnCommand
  /** The TCP ports on which something listens in its network. */
  listeningPorts?: () => Promise<ReadonlySet<number>>
  /**
   * Opens another place in the network of this one, for a service of the run. It must be released first. Absent if this
   * worker cannot share a network.
   */
  openBeside?: (image: WantedImage | null, needs: PlaceNeeds) => Promise<RunPlace>
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
  /** The names of the services that share its network. */
  hosts?: readonly string[]
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
export function placesInSandbox(sandbox: Sandbox, images: Images | undefined): RunPlaces {
  const open = async (
    image: WantedImage | null,
    needs: PlaceNeeds,
    sharedNetwork?: SharedNetwork,
  ): Promise<RunPlace> => {
    const { signal, folders, folder, onOutput, hosts } = needs
    const shared = { folders, ...(hosts && { hosts }), sharedNetwork }
    const withNeighbors = ({ network, ...place }: WorldPlace, held: HeldImage | null): RunPlace => ({
      ...place,
      imageDigest: held?.facts.digest ?? null,
      ownCommand: held?.facts.config ?? { entrypoint: [], cmd: [] },
      ...(network && {
        listeningPorts: () => listeningPorts(network.process),
        openBeside: (beside, its) => open(beside, { ...its, ...(hosts && { hosts }) }, network),
      }),
    })
    if (!image) return withNeighbors(await inWorld(sandbox, shared), null)
    if (!images) throw new InfrastructureFailure('This worker has no image cache', 'sandbox', { isTransient: false })
    const held = await images.open(image, { signal, onOutput })
    try {
      const root = await makeRunRoot(sandbox, held, { folders, folder })
      const place = await inWorld(inRoot(sandbox, root), { ...shared, root })
      return withNeighbors({ ...place, release: () => place.release().finally(held.release) }, held)
    } catch (error) {
      held.release()
      throw error
    }
  }
  return { status: sandbox.status, hasOwnNetwork: sandbox.hasOwnNetwork, open }
}

type WorldPlace = Pick<RunPlace, 'sandbox' | 'endProcesses' | 'release'> & { network?: SharedNetwork }

/** Opens a world for the commands of a run. Where there is none, every command's processes end with it. */
async function inWorld(sandbox: Sandbox, needs: WorldNeeds): Promise<WorldPlace> {
  const nothing = async () => {}
  if (!sandbox.openWorld) return { sandbox, endProcesses: nothing, release: nothing }
  const { spawn, endProcesses, close, network } = await openShared(sandbox.openWorld, needs).catch((error: unknown) => {
    const reason = messageOf(error)
    // An image can contain what no sandbox can be built on, so there the image is the reason.
    if (needs.root) throw new RunFailure(`The image of the run cannot be used: ${reason}`)
    throw new InfrastructureFailure(`The sandbox of the run could not start: ${reason}`, 'sandbox')
  })
  return { sandbox: { ...sandbox, spawn }, endProcesses, release: close, network }
}

async function openShared(open: NonNullable<Sandbox['openWorld']>, needs: WorldNeeds) {
  const world = await open(needs)
  if ((!needs.hosts && !needs.root) || needs.sharedNetwork) return world
  try {
    await openLowPorts(world.network.enter)
    return world
  } catch (error) {
    await world.close()
    throw error
  }
}

/** Opens a place. A definition whose image cannot be used keeps its agent from starting. */
export const openPlace = (places: RunPlaces, image: WantedImage | null, needs: PlaceNeeds) =>
  places.open(image, needs).catch((error: unknown) => {
    throw beforeAgent(error, 'image_unusable')
  })
