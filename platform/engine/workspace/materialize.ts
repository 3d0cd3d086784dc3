import { once } from 'node:events'
import { chmod, lstat, mkdir, mkdtemp, open, readdir, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { DefinitionFile } from '#contract/task-fields.ts'
import type { VersionFile } from '#contract/experiments.ts'
import type { Blobs } from '#platform/ground/blobs/blobs.ts'
import { readOutage } from '#platform/ground/failures/outage.ts'
import { unpackTar } from '#platform/ground/files/unpack-tar.ts'
import { packageKey } from '#platform/inputs/experiments/stage-blob.ts'
import { asRunFailure, RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { inPlace, makeFolder } from './workspace-path.ts'

/** A file or skill of a version: inline content, or a reference to a staged blob. */
export type WorkspaceFile = Pick<DefinitionFile, 'dest' | 'content' | 'source' | 'executable'>

/**
 * Writes files into a workspace. A staged blob is a tar: if it contains exactly one file and no folder, that file
 * becomes `dest`; anything else becomes the folder `dest`. Throws RunFailure if a blob is missing or unreadable, or if
 * the workspace cannot hold a file. Returns early and stops writing when the signal aborts.
 */
export async function materialize(
  blobs: Blobs,
  workspace: string,
  wanted: readonly WorkspaceFile[],
  staged: readonly VersionFile[],
  signal?: AbortSignal,
) {
  for (const file of wanted) {
    if (signal?.aborted) return
    if (file.source === undefined) await writeContent(workspace, file)
    else await unpack(blobs, workspace, { dest: file.dest, staged: findStaged(staged, file.source, file.dest), signal })
  }
}

async function writeContent(workspace: string, { dest, content, executable }: WorkspaceFile) {
  try {
    await inPlace(workspace, dest, (place) => writePlainFile(place, content ?? '', executable ? 0o755 : 0o644))
  } catch (error) {
    throw asRunFailure(error, `${dest} could not be written`)
  }
}

/** Writes a new file with a mode, whatever the umask of this process. */
export async function writePlainFile(place: string, content: string | Uint8Array, mode = 0o644) {
  const file = await open(place, 'wx')
  try {
    await file.writeFile(content)
    await file.chmod(mode)
  } finally {
    await file.close()
  }
}

/** The staged blob of a file: that of its own destination, or of another one with the same source. */
export const stagedFor = (staged: readonly VersionFile[], source: string | undefined, dest: string) =>
  staged.find((entry) => entry.source === source && entry.dest === dest) ??
  staged.find((entry) => entry.source === source)

function findStaged(staged: readonly VersionFile[], source: string, dest: string) {
  const file = stagedFor(staged, source, dest)
  if (!file) throw new RunFailure(`${source} is not in the version's package`)
  return file
}

type Package = { dest: string; staged: VersionFile; signal: AbortSignal | undefined }

async function unpack(blobs: Blobs, workspace: string, { dest, staged, signal }: Package) {
  const bytes = await unlessAborted(blobs.get(packageKey(staged.tarSha256)), signal)
  if (signal?.aborted) return
  if (!bytes) throw new RunFailure(`${staged.source} is no longer staged (${staged.tarSha256})`)
  const folder = await mkdtemp(join(dirname(workspace), 'unpack-'))
  try {
    const link = (path: string, target: string) => inPlace(folder, path, (place) => symlink(target, place))
    const { holdsFolder } = await unpackTar(bytes, folder, link, signal)
    if (signal?.aborted) return
    const entries = await readdir(folder, { withFileTypes: true })
    const [only] = entries
    if (only && entries.length === 1 && only.isFile() && !holdsFolder)
      await placeFile(join(folder, only.name), workspace, dest)
    else await placeFolder(folder, workspace, dest)
  } catch (error) {
    if (readOutage(error)) throw error
    const reason = error instanceof Error ? error.message.replaceAll(join(folder, '/'), '') : error
    throw new RunFailure(`${staged.source} could not be unpacked: ${reason}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns null at once on an abort. A late answer of the store is ignored. */
async function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal | undefined): Promise<Value | null> {
  if (!signal) return value
  const watch = new AbortController()
  const aborted = once(signal, 'abort', { signal: watch.signal }).then(
    () => null,
    () => null,
  )
  return Promise.race([value, signal.aborted ? null : aborted]).finally(() => watch.abort())
}

/** Adds a folder's entries to those already at `dest`. Replaces files with the same name. */
async function placeFolder(from: string, workspace: string, dest: string) {
  await makeFolder(workspace, dest)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const path = `${dest}/${entry.name}`
    if (entry.isDirectory()) await placeFolder(join(from, entry.name), workspace, path)
    else await placeFile(join(from, entry.name), workspace, path)
  }
}

/** Moves a file with its owner mode from the package; group and others get the same mode less the usual umask. */
async function placeFile(from: string, workspace: string, path: string) {
  const stats = await lstat(from)
  const ofOwner = stats.mode & 0o700
  // Before it is in the workspace, where a process of the run could replace it by a link.
  if (stats.isFile()) await chmod(from, ofOwner | ((ofOwner & 0o500) >> 3) | ((ofOwner & 0o500) >> 6))
  await inPlace(workspace, path, (place) => rename(from, place))
}

/** Creates the empty folders of one run below `folder`. */
export async function makeRunFolders(folder: string) {
  const folders = { workspace: join(folder, 'workspace'), home: join(folder, 'home') }
  for (const each of [folders.workspace, folders.home]) await makePlainFolder(each)
  return folders
}

/** Makes a folder with the usual mode, whatever the umask of this process: commands of a run may have another user. */
export async function makePlainFolder(folder: string) {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
}
