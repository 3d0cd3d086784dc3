import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { taskFiles } from '#contract/task-folders.ts'
import { isFile, isFolder } from './read-task-file.ts'

const maxDepth = 6

export type FolderFormat = keyof typeof taskFiles

/** Finds the task folders at or below a folder, in alphabetical order. A task contains no other tasks. */
export async function findTaskFolders(folder: string, format: FolderFormat, depth = 0): Promise<string[]> {
  if (await isFile(join(folder, taskFiles[format]))) return [folder]
  if (depth === maxDepth || !(await isFolder(folder))) return []
  const entries = await readdir(folder, { withFileTypes: true })
  const below = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  const found: string[] = []
  for (const { name } of below.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    found.push(...(await findTaskFolders(join(folder, name), format, depth + 1)))
  return found
}
