import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, unlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'

import { runToEnd } from '#platform/ground/processes/run-to-end.ts'
import { RunFailure } from '#platform/queue/run-queue/run-failure.ts'

/*
 * An agent can leave symbolic links in its workspace that lead out of it, and the service reads and writes there with its
 * own rights. What the agent started may also replace a folder by a link at any moment. So the service follows no link
 * below the workspace, and enters folder after folder through handles that stay what they are.
 */

/** A folder that is held open. `place` is the path of an entry in it, valid until `close`. */
export type OpenFolder = { place: (name: string) => string; close: () => Promise<void> }

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opens a folder, which must be no link itself. */
async function openFolder(path: string): Promise<OpenFolder> {
  // Without handles as paths. There, no process outlives its command.
  if (process.platform !== 'linux') return { place: (name) => join(path, name), close: async () => {} }
  const handle = await open(path, folderFlags)
  return { place: (name) => `/proc/${process.pid}/fd/${handle.fd}/${name}`, close: () => handle.close() }
}

type Enter = (folder: OpenFolder, name: string) => Promise<OpenFolder>

const enterExisting: Enter = (folder, name) => openFolder(folder.place(name))

/** Enters a folder, and makes it in the place of anything else. */
const enterMade: Enter = async (folder, name) => {
  const place = folder.place(name)
  const kind = await kindOf(place)
  if (kind !== 'folder') {
    if (kind !== 'missing') await unlink(place)
    await mkdir(place)
    const made = await open(place, folderFlags)
    // The usual mode, whatever the umask of this process.
    await made.chmod(0o755).finally(() => made.close())
  }
  return openFolder(place)
}

const partsOf = (path: string) => path.split('/').filter((name) => name !== '' && name !== '.')

async function within<Result>(
  workspace: string,
  { path, enter }: { path: string; enter: Enter },
  work: (folder: OpenFolder) => Promise<Result>,
): Promise<Result> {
  // The root itself may be a link, such as that of a container's process.
  let folder = await openFolder(join(workspace, '/'))
  try {
    for (const part of partsOf(path)) {
      const next = await enter(folder, part)
      await folder.close()
      folder = next
    }
    return await work(folder)
  } finally {
    await folder.close()
  }
}

/** Uses a folder below the workspace. Throws if it is missing, or if a part of its path is a link. */
export const inFolder = <Result>(workspace: string, path: string, work: (folder: OpenFolder) => Promise<Result>) =>
  within(workspace, { path, enter: enterExisting }, work)

/** Creates a folder inside the workspace. Replaces a link or file in its way. */
export const makeFolder = (workspace: string, path: string) =>
  within(workspace, { path, enter: enterMade }, async () => {})

/**
 * Creates the parent folders of `path` inside the workspace, replaces whatever is in the way, and removes what is at
 * `path`. Then calls `work` with a path to it. Throws RunFailure for a path outside the workspace.
 */
export async function inPlace<Result>(workspace: string, path: string, work: (place: string) => Promise<Result>) {
  const place = join(workspace, path)
  // Preparing the workspace itself would remove it.
  if (!place.startsWith(join(workspace, '/')) || place === join(workspace, '/'))
    throw new RunFailure(`${path} is not a path inside the workspace`)
  const inside = relative(workspace, place)
  return within(workspace, { path: dirname(inside), enter: enterMade }, async (folder) => {
    await removeEntry(folder, basename(inside))
    return work(folder.place(basename(inside)))
  })
}

async function removeEntry(folder: OpenFolder, name: string) {
  const place = folder.place(name)
  const kind = await kindOf(place)
  // Unlike Node, `rm` walks through handles too.
  if (kind === 'folder') await runToEnd('rm', ['-rf', '--', place])
  else if (kind !== 'missing') await unlink(place)
}

const kindOf = async (path: string) => {
  const stats = await lstat(path).catch(() => null)
  if (!stats) return 'missing'
  return stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other'
}

/** Returns a file's text, at most `limit` bytes. Throws like readBytesInside. */
export const readInside = async (workspace: string, path: string, limit: number): Promise<string> =>
  (await readBytesInside(workspace, path, limit)).toString('utf8')

/**
 * Returns a file's bytes, at most `limit`. Throws an Error with a reason if the file is missing, is not a plain file, or is
 * too large.
 */
export async function readBytesInside(workspace: string, path: string, limit: number): Promise<Buffer> {
  const require = async (place: string, expected: 'file' | 'folder') => {
    const kind = await kindOf(place)
    if (kind === 'missing') throw new Error(`${path} does not exist`)
    if (kind !== expected) throw new Error(`${path} is not a plain file`)
  }
  const enter: Enter = async (folder, name) => {
    await require(folder.place(name), 'folder')
    return openFolder(folder.place(name))
  }
  return within(workspace, { path: dirname(path), enter }, async (folder) => {
    const place = folder.place(basename(path))
    await require(place, 'file')
    const file = await open(place, fileFlags)
    try {
      const stats = await file.stat()
      if (!stats.isFile()) throw new Error(`${path} is not a plain file`)
      if (stats.size > limit) throw new Error(`${path} is larger than ${limit / 1024 / 1024} MiB`)
      return await readBytes(file, stats.size)
    } finally {
      await file.close()
    }
  })
}

/** Reads at most so many bytes: a process of the run may still write to the file. */
export async function readBytes(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size)
  let filled = 0
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, null)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
