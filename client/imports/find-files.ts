import { lstat, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

import { limits } from '#contract/wire/limit.ts'
import { CommandError } from '#client/exit-codes.ts'

/** A file of this machine, and its name in the import. */
export type LocalFile = { path: string; place: string; size: number }

const maxDepth = 24

/** The files below a path, in order, with the name of its last folder before theirs. Links are not followed. */
export async function findFiles(folder: string, given: string): Promise<LocalFile[]> {
  const found: LocalFile[] = []
  const add = async (place: string, path: string, depth: number) => {
    const stats = await lstat(place)
    if (stats.isDirectory() && depth < maxDepth)
      for (const name of (await readdir(place)).sort()) await add(join(place, name), `${path}/${name}`, depth + 1)
    else if (stats.isFile()) found.push({ path, place, size: stats.size })
    if (found.length > limits.importFiles)
      throw new CommandError(
        `${given} has more than ${limits.importFiles.toLocaleString('en')} files. Pack them into a tar or a zip`,
      )
  }
  const place = resolve(folder, given)
  await add(place, basename(place) || 'files', 1).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new CommandError(`${given} does not exist`)
    throw error
  })
  return found
}
