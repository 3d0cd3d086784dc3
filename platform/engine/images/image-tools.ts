import { chown, lstat, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'

import { kilobytesOfFile } from '#platform/engine/sandbox/disk-usage.ts'
import { createTail } from '#platform/engine/sandbox/output-tail.ts'
import type { RunFolders, Sandbox } from '#platform/engine/sandbox/sandbox.ts'
import { makeRunFolders } from '#platform/engine/workspace/materialize.ts'
import { InfrastructureFailure, RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import type { ImageConfig } from './image-config.ts'
import { type ImageFacts, writeFacts } from './image-facts.ts'
import { findImageUser } from './image-user.ts'
import { realPathInside } from './inside-root.ts'
import type { RegistryNetwork } from './registry-network.ts'
import { pullFailure } from './pull-failure.ts'

/** Where an image is made: `folder` belongs to this work alone. */
export type Workshop = { sandbox: Sandbox; folder: string; signal: AbortSignal }

/**
 * Makes folders for tools that read untrusted files. They run in the sandbox, like the runs themselves, as the
 * user who will own the image.
 */
export async function makeToolFolders({ sandbox, folder }: Pick<Workshop, 'sandbox' | 'folder'>): Promise<RunFolders> {
  const folders = await makeRunFolders(folder)
  const owner = sandbox.roots?.owner ?? null
  if (owner !== null) for (const each of Object.values(folders)) await chown(each, owner, owner)
  return folders
}

type ToolRun = {
  argv: string[]
  tool?: string
  timeoutMs: number
  /** Without it the tool has no network. */
  network?: RegistryNetwork
  onStdout?: (chunk: Uint8Array) => void
}

/** Runs a tool of the machine in the sandbox. Throws RunFailure with the reason if it fails. */
export async function runTool({ sandbox, signal }: Workshop, folders: RunFolders, run: ToolRun) {
  const { argv, tool = argv[0] ?? '', timeoutMs, network } = run
  const stderr = createTail()
  const onStdout = run.onStdout ?? (() => {})
  const bounds = { env: network?.env ?? {}, forwards: network?.forwards ?? [], timeoutMs, signal }
  const end = await sandbox.spawn({ argv, folders, ...bounds, onStdout, onStderr: stderr.push })
  signal.throwIfAborted()
  if (end.exitCode === 0) return
  const refused = network?.whyRefused() ?? null
  if (refused?.isOutage)
    throw new InfrastructureFailure(`the registry cannot be reached: ${refused.reason}`, 'image_pull')
  if (refused) throw new RunFailure(`the registry may not be reached, or redirects elsewhere: ${refused.reason}`)
  throw pullFailure(tool, end, stderr.text())
}

/**
 * Here root cannot read every file and enter every folder, as images expect, so the modes must allow it. APT
 * fails if it cannot become another user. The last line of the output is the size, in which many small files count for the
 * room that a disk has for files.
 */
export const finishingScript = `
find . -type d ! -perm -u=rwx -exec chmod u+rwx {} \\; 2>/dev/null
find . -type f ! -perm -u=r -exec chmod u+r {} + 2>/dev/null
[ -e tmp ] || mkdir tmp
[ -L tmp ] || chmod 1777 tmp
[ -e etc ] || mkdir etc
[ -s etc/hosts ] || printf '127.0.0.1\\tlocalhost\\n::1\\tlocalhost\\n' >etc/hosts
[ ! -d etc/apt/apt.conf.d ] || printf 'APT::Sandbox::User "root";\\n' >etc/apt/apt.conf.d/zz-one-user
kilobytes=$(du -skx . | cut -f1)
files=$(du --inodes -sx . 2>/dev/null | cut -f1)
[ "$((\${files:-0} * ${kilobytesOfFile}))" -le "$kilobytes" ] || kilobytes=$((files * ${kilobytesOfFile}))
echo "$kilobytes"`

type Finish = { root: string; digest: string; kilobytes: number; config: ImageConfig }

/** Moves an unpacked root to its place beside the facts about it. Returns the folder of both. */
export async function finishImage(folder: string, { root, digest, kilobytes, config }: Finish): Promise<string> {
  // A link in its place would be followed when the image is mounted.
  if (!(await lstat(root)).isDirectory()) throw new RunFailure('its root is not a folder')
  const finished = join(folder, 'finished')
  await mkdir(finished)
  await rename(root, join(finished, 'root'))
  const facts = await factsOf(join(finished, 'root'), config)
  await writeFacts(finished, { digest, kilobytes, config, ...facts })
  return finished
}

export const usualWorkspace = '/workspace'
export const usualHome = '/home/agent'

/** Folders in which nothing can be mounted for the run. */
export const isOurs = (path: string) => path === '/' || /^\/(?:proc|sys|dev|opt\/node|opt\/agents)(?:\/|$)/.test(path)

/** The run's folders replace the image's working directory and the home of its user, with their content. */
async function factsOf(
  root: string,
  { env, user, workingDir }: ImageConfig,
): Promise<Omit<ImageFacts, 'digest' | 'kilobytes' | 'config'>> {
  const { uid, gid, home } = await findImageUser(root, user)
  const real = async (path: string, usual: string) => {
    const found = path.startsWith('/') && !path.includes('\0') ? await realPathInside(root, path) : null
    return found === null || isOurs(found) || found.length > 4000 ? usual : found
  }
  const workspace = await real(workingDir, usualWorkspace)
  const ownHome = await real(home, usualHome)
  return { env, uid, gid, workspace, home: ownHome === workspace ? usualHome : ownHome }
}
