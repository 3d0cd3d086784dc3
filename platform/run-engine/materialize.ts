import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { extract } from 'tar'

import type { DefinitionFile } from '#contract/definition.ts'
import type { VersionFile } from '#contract/experiments.ts'
import type { Blobs } from '#platform/blobs/blobs.ts'
import { packageKey } from '#platform/experiments/stage-blob.ts'
import { RunFailure } from './run-failure.ts'
import { makeFolder, preparePlace } from './workspace-path.ts'

/** A file or skill of a version: inline content, or the source of a staged blob. */
export type Wanted = Pick<DefinitionFile, 'dest' | 'content' | 'source' | 'executable'>

const unpackedBytes = 2 * 1024 ** 3

/**
 * Writes files into a workspace. A staged blob is a tar: one that holds nothing but a file becomes `dest`, anything else,
 * a folder with one file included, becomes the folder `dest`. Throws RunFailure when a blob is missing or unreadable.
 */
export async function materialize(
  blobs: Blobs,
  workspace: string,
  wanted: readonly Wanted[],
  staged: readonly VersionFile[],
) {
  for (const file of wanted) {
    if (file.source === undefined) {
      const place = await preparePlace(workspace, file.dest)
      await writeFile(place, file.content ?? '', { flag: 'wx', mode: file.executable ? 0o755 : 0o644 })
    } else await unpack(blobs, workspace, file.dest, findStaged(staged, file.source, file.dest))
  }
}

function findStaged(staged: readonly VersionFile[], source: string, dest: string) {
  const file =
    staged.find((entry) => entry.source === source && entry.dest === dest) ??
    staged.find((entry) => entry.source === source)
  if (!file) throw new RunFailure(`${source} is not in the version's package`)
  return file
}

async function unpack(blobs: Blobs, workspace: string, dest: string, staged: VersionFile) {
  const bytes = await blobs.get(packageKey(staged.tarSha256))
  if (!bytes) throw new RunFailure(`${staged.source} is not staged any more (${staged.tarSha256})`)
  const folder = await mkdtemp(join(dirname(workspace), 'unpack-'))
  try {
    const { holdsFolder } = await extractSafely(bytes, folder)
    const entries = await readdir(folder, { withFileTypes: true })
    const [only] = entries
    if (only && entries.length === 1 && only.isFile() && !holdsFolder)
      await rename(join(folder, only.name), await preparePlace(workspace, dest))
    else await placeFolder(folder, workspace, dest)
  } catch (error) {
    throw new RunFailure(`${staged.source} could not be unpacked: ${error instanceof Error ? error.message : error}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function extractSafely(bytes: Uint8Array, folder: string) {
  let size = 0
  let holdsFolder = false
  const isWanted = (_: string, entry: { size?: number; type?: string }) => {
    size += entry.size ?? 0
    if (size > unpackedBytes) throw new Error('it unpacks to more than 2 GiB')
    holdsFolder ||= entry.type === 'Directory'
    return ['File', 'OldFile', 'ContiguousFile', 'Directory', 'SymbolicLink'].includes(entry.type ?? 'File')
  }
  await pipeline(
    Readable.from([Buffer.from(bytes)]),
    extract({ cwd: folder, strict: true, preserveOwner: false, filter: (path, entry) => isWanted(path, entry) }),
  )
  return { holdsFolder }
}

/** Adds a folder's entries to those already at `dest`; a file of the same name is replaced. */
async function placeFolder(from: string, workspace: string, dest: string) {
  await makeFolder(workspace, dest)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const path = `${dest}/${entry.name}`
    if (entry.isDirectory()) await placeFolder(join(from, entry.name), workspace, path)
    else await rename(join(from, entry.name), await preparePlace(workspace, path))
  }
}

/** The fresh folders of one run below `folder`. */
export async function makeRunFolders(folder: string) {
  const folders = { workspace: join(folder, 'workspace'), home: join(folder, 'home') }
  await mkdir(folders.workspace, { recursive: true })
  await mkdir(folders.home, { recursive: true })
  return folders
}
