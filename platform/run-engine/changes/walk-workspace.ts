import type { BigIntStats } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** A plain file or symbolic link of a workspace. `path` is relative to it. */
export type FoundFile = { path: string; stats: BigIntStats }

/**
 * The files of a workspace. `skipped` counts entries that cannot be read or whose names are not UTF-8, and devices, sockets and
 * pipes.
 */
export type Walk = { files: FoundFile[]; skipped: number; isCutOff: boolean }

const filesAtOnce = 64

/** Of all paths together. Long paths fill the memory with few files. */
const maxPathCharacters = 32 * 1024 ** 2

/**
 * Finds the files and links below `workspace`, at most `limit` files and as many folders. It follows no link. Folders
 * are not listed, because the paths of files name them. A folder is read in parts, because an agent can create millions of
 * names.
 */
export async function walkWorkspace(workspace: string, limit: number, signal: AbortSignal): Promise<Walk> {
  const walk: Walk = { files: [], skipped: 0, isCutOff: false }
  const folders = ['']
  let folderCount = 1
  let characters = 0
  let waiting: string[] = []
  for (let folder = folders.pop(); folder !== undefined && !signal.aborted; folder = folders.pop()) {
    const entries = await opendir(join(workspace, folder), { bufferSize: 256 }).catch(() => null)
    if (!entries) walk.skipped += 1
    for await (const entry of entries ?? []) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      characters += path.length
      // A name that is not UTF-8 is read as another one, which may be that of another file.
      if (entry.name.includes('\uFFFD')) walk.skipped += 1
      else if (!entry.isDirectory()) waiting.push(path)
      else if (folderCount < limit) {
        folderCount += 1
        folders.push(path)
      } else walk.isCutOff = true
      if (waiting.length === filesAtOnce) {
        await addFiles(walk, workspace, waiting)
        waiting = []
      }
      if (walk.files.length >= limit || characters > maxPathCharacters)
        return { ...walk, files: walk.files.slice(0, limit), isCutOff: true }
    }
  }
  await addFiles(walk, workspace, waiting)
  return walk
}

async function addFiles(walk: Walk, workspace: string, paths: readonly string[]) {
  const found = await Promise.all(paths.map((path) => lstat(join(workspace, path), { bigint: true }).catch(() => null)))
  for (const [index, path] of paths.entries()) {
    const stats = found[index]
    if (stats?.isFile() || stats?.isSymbolicLink()) walk.files.push({ path, stats })
    else walk.skipped += 1
  }
}
