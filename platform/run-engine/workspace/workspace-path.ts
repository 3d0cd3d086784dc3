import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { RunFailure } from '#platform/run-queue/run-failure.ts'

/*
 * An agent may leave symbolic links in its workspace that lead out of it, and we read and write there as ourselves.
 * So no link below the workspace is ever followed. No process of the run is alive while we look: there is no race.
 */

const kindOf = async (path: string) => {
  const stats = await lstat(path).catch(() => null)
  if (!stats) return 'missing'
  return stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other'
}

/** Makes the folders above `path` inside the workspace, replacing whatever is in the way, and clears the place itself. */
export async function preparePlace(workspace: string, path: string): Promise<string> {
  const place = join(workspace, path)
  // It would be removed, and with it the workspace.
  if (!place.startsWith(join(workspace, '/')) || place === join(workspace, '/'))
    throw new RunFailure(`${path} is no place in the workspace`)
  await makeFolder(workspace, dirname(path))
  await rm(place, { recursive: true, force: true })
  return place
}

/** Makes a folder inside the workspace; a link or file in its way is replaced. */
export async function makeFolder(workspace: string, path: string): Promise<string> {
  let folder = workspace
  for (const part of path.split('/').filter((name) => name !== '' && name !== '.')) {
    folder = join(folder, part)
    const kind = await kindOf(folder)
    if (kind === 'folder') continue
    if (kind !== 'missing') await rm(folder, { force: true })
    await mkdir(folder)
    // Independent of this process's umask: a run gets the usual modes.
    await chmod(folder, 0o755)
  }
  return folder
}

/** A file's text, at most `limit` bytes. Throws with a reason when there is none, it is no plain file, or too large. */
export async function readInside(workspace: string, path: string, limit: number): Promise<string> {
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
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
