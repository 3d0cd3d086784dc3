import { randomUUID } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'

import { Created, type InspectedImage } from '#platform/engine/containers/engine/engine-answers.ts'
import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { type OwnCommand, toImageConfig } from '#platform/engine/images/image-config.ts'
import { isOurs, usualHome, usualWorkspace } from '#platform/engine/images/image-tools.ts'
import { findImageUser } from '#platform/engine/images/image-user.ts'
import { realPathInside } from '#platform/engine/images/inside-root.ts'
import type { RunFolders } from '#platform/engine/sandbox/sandbox.ts'
import { runToEnd } from '#platform/ground/processes/run-to-end.ts'
import { diskUsageMb } from '#platform/engine/sandbox/disk-usage.ts'
import { watchUsage } from '#platform/engine/sandbox/watch-usage.ts'
import { makePlainFolder, writePlainFile } from '#platform/engine/workspace/materialize.ts'
import { inPlace } from '#platform/engine/workspace/workspace-path.ts'
import { InfrastructureFailure, RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { preparedName } from './container-labels.ts'
import type { ContainerLimits } from './container-spec.ts'
import { giveToRoot } from './give-to-root.ts'
import { type Container, startContainer } from './start-container.ts'

/** An image as runs use it. */
export type PreparedImage = {
  /** The image to start. */
  id: string
  /** The name of the copy that this worker made, or null. */
  copy: string | null
  env: Readonly<Record<string, string>>
  ownCommand: OwnCommand
  uid: number
  gid: number
  inside: RunFolders
  /** Whether it has /bin/sh. */
  hasShell: boolean
  /** The content of the image's working directory and home, as folders of this machine. */
  content: RunFolders
  /** What the copy and the content take of the disk. */
  sizeMb: number
}

type Preparation = {
  /** A folder that this preparation may fill. */
  folder: string
  labels: Readonly<Record<string, string>>
  filter: string
  limits: ContainerLimits
}

/** Nobody's: nothing but the keeper runs while an image is prepared. */
const preparingUser = { uid: 65_534, gid: 65_534 }

const prepareSeconds = 900
/** The engine makes and fills each of them for each run. */
const maxVolumes = 50

/**
 * Reads and changes an image through a container in which only the keeper runs. This service works on its files from
 * outside, and no program of the image executes. Throws RunFailure if the image takes too long or is too large.
 */
export async function prepareImage(engine: EngineClient, inspected: InspectedImage, preparation: Preparation) {
  const { folder, labels, filter, limits } = preparation
  if (Object.keys(inspected.Config?.Volumes ?? {}).length > maxVolumes)
    throw new RunFailure(`it declares more than ${maxVolumes} volumes`)
  const late = AbortSignal.timeout(prepareSeconds * 1000)
  const needs = {
    image: inspected.Id,
    user: preparingUser,
    labels,
    seconds: prepareSeconds + 60,
    folder,
    mounts: [],
    limits,
    filter,
  }
  const container = await startContainer(engine, needs, late)
  const tooLarge = new AbortController()
  const written = [folder, ...container.written]
  const watched = { written, limits: { ...limits, processes: 0 }, firstProcess: () => 0 }
  const unwatch = watchUsage(watched, () => tooLarge.abort())
  try {
    const signal = AbortSignal.any([late, tooLarge.signal])
    const image = await prepareFiles(engine, inspected, { ...preparation, container, signal })
    const sizeMb = await diskUsageMb(written)
    if (limits.diskMb > 0 && sizeMb > limits.diskMb) tooLarge.abort()
    tooLarge.signal.throwIfAborted()
    return { ...image, sizeMb } satisfies PreparedImage
  } catch (error) {
    if (tooLarge.signal.aborted)
      throw new RunFailure(
        `its working directory, its home and its files of other users are larger than the disk limit of a run: ${limits.diskMb} MiB`,
      )
    if (late.aborted) throw new RunFailure(`it could not be prepared within ${prepareSeconds} s`)
    throw asDiskFailure(error)
  } finally {
    unwatch()
    await container.remove()
  }
}

type Work = Preparation & { container: Container; signal: AbortSignal }

async function prepareFiles(engine: EngineClient, inspected: InspectedImage, work: Work) {
  const { container, folder, signal } = work
  const { root } = container
  const config = toImageConfig(inspected.Config ?? {})
  const { env, user, workingDir } = config
  const { uid, gid, home: namedHome } = await findImageUser(root, user)
  const workspace = (await usable(root, workingDir)) ?? usualWorkspace
  const ownHome = (await usable(root, namedHome)) ?? usualHome
  const home = ownHome === workspace ? usualHome : ownHome
  const copy = uid === 0 ? await copyForRoot(engine, work) : null
  const shell = await realPathInside(root, '/bin/sh')
  const hasShell = shell !== null && ((await lstat(join(root, shell)).catch(() => null))?.isFile() ?? false)
  const content = { workspace: join(folder, 'workspace'), home: join(folder, 'home') }
  for (const [name, path] of Object.entries({ workspace, home })) {
    const to = join(folder, name)
    await makePlainFolder(to)
    await copyOut(join(root, path), to, signal)
    if (uid === 0) await giveToRoot(to, signal)
  }
  return {
    id: copy?.id ?? inspected.Id,
    copy: copy?.name ?? null,
    env,
    ownCommand: { entrypoint: config.entrypoint, cmd: config.cmd },
    uid,
    gid,
    inside: { workspace, home },
    hasShell,
    content,
  }
}

/** Follows links as a program inside does, so that the path has none. */
async function usable(root: string, path: string) {
  if (!path.startsWith('/') || path.includes('\0')) return null
  const found = await realPathInside(root, path)
  return found === null || isOurs(found) || found.length > 4000 ? null : found
}

/** Copies the content of a folder without devices, pipes and sockets, and without what is mounted in it. */
async function copyOut(from: string, to: string, signal: AbortSignal) {
  const stats = await lstat(from).catch(() => null)
  if (!stats?.isDirectory()) return
  await runToEnd('cp', ['-a', '--reflink=auto', '--one-file-system', '--', `${from}/.`, to], { signal })
  const kinds = ['b', 'c', 'p', 's'].flatMap((kind) => ['-o', '-type', kind]).slice(1)
  await runToEnd('find', [to, '-xdev', '(', ...kinds, ')', '-delete'], { signal })
}

/**
 * Commands have no capabilities, so their root can only use what belongs to root. Also as in an unpacked image, APT needs
 * no other user. The copy is named at random, so that no registry can hold an image of its name.
 */
async function copyForRoot(engine: EngineClient, { container, signal }: Work) {
  const { root, id } = container
  await giveToRoot(root, signal)
  const apt = await realPathInside(root, '/etc/apt/apt.conf.d')
  if (apt !== null && (await lstat(join(root, apt)).catch(() => null))?.isDirectory())
    await inPlace(join(root, apt), 'zz-one-user', (place) => writePlainFile(place, 'APT::Sandbox::User "root";\n'))
  const tag = randomUUID()
  const query = { container: id, repo: preparedName, tag, pause: 'false' }
  const call = { method: 'POST', path: '/commit', query, body: {}, signal, limitMs: prepareSeconds * 1000 } as const
  return { id: (await engine.ask(call, Created)).Id, name: `${preparedName}:${tag}` }
}

function asDiskFailure(error: unknown) {
  const isFull = error instanceof Error && /no space left on device/i.test(error.message)
  return isFull ? new InfrastructureFailure('The disk of the worker is full', 'disk_full') : error
}
