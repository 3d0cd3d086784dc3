import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { RunFailure } from '#platform/run-queue/run-failure.ts'

/*
 * An agent can leave symbolic links in its workspace that lead out of it, and the service reads and writes there with its
 * own rights. So it follows no link below the workspace. No process of the run is alive meanwhile, so there is no race.
 */

const kindOf = async (path: string) => {
  const stats = await lstat(path).catch(() => null)
  if (!stats) return 'missing'
  return stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other'
}

/**
 * Creates the parent folders of `path` inside the workspace, replaces whatever is in the way, and removes what is at
 * `path`. Throws RunFailure for a path outside the workspace.
 */
export async function preparePath(workspace: string, path: string): Promise<string> {
  const place = join(workspace, path)
  // Preparing the workspace itself would remove it.
  if (!place.startsWith(join(workspace, '/')) || place === join(workspace, '/'))
    throw new RunFailure(`${path} is not a path inside the workspace`)
  await makeFolder(workspace, dirname(path))
  await rm(place, { recursive: true, force: true })
  return place
}

/** Creates a folder inside the workspace. Replaces a link or file in its way. */
export async function makeFolder(workspace: string, path: string): Promise<string> {
  let folder = workspace
  for (const part of path.split('/').filter((name) => name !== '' && name !== '.')) {
    folder = join(folder, part)
    const kind = await kindOf(folder)
    if (kind === 'folder') continue
    if (kind !== 'missing') await rm(folder, { force: true })
    await mkdir(folder)
    // Sets the usual mode whatever the umask of this process.
    await chmod(folder, 0o755)
  }
  return folder
}

/** Returns a file's text, at most `limit` bytes. Throws like readBytesInside. */
export const readInside = async (workspace: string, path: string, limit: number): Promise<string> =>
  (await readBytesInside(workspace, path, limit)).toString('utf8')

/**
 * Returns a file's bytes, at most `limit`. Throws an Error with a reason if the file is missing, is not a plain
 * file, or is too large.
 */
export async function readBytesInside(workspace: string, path: string, limit: number): Promise<Buffer> {
  const parts = path.split('/').filter((name) => name !== '' && name !== '.')
  for (const depth of parts.keys()) {
    const kind = await kindOf(join(workspace, ...parts.slice(0, depth + 1)))
    const expected = depth === parts.length - 1 ? 'file' : 'folder'
    if (kind === 'missing') throw new Error(`${path} does not exist`)
    if (kind !== expected) throw new Error(`${path} is not a plain file`)
  }
  const file = await open(join(workspace, ...parts), constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await file.stat()
    if (size > limit) throw new Error(`${path} is larger than ${limit / 1024 / 1024} MiB`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}
