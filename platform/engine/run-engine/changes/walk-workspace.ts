import type { BigIntStats } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'

import { inFolder, type OpenFolder } from '#platform/engine/workspace/workspace-path.ts'

/** A plain file or symbolic link of a workspace. `path` is relative to it. Times are in nanoseconds. */
export type FoundFile = {
  path: string
  kind: 'file' | 'link'
  sizeBytes: number
  isExecutable: boolean
  inode: bigint
  modifiedAt: bigint
  changedAt: bigint
}

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
export async function walkWorkspace(workspace: string, limit: number): Promise<Walk> {
  const walk: Walk = { files: [], skipped: 0, isCutOff: false }
  const search: Search = { walk, limit, characters: 0, folderCount: 1, folders: [''] }
  let isFull = false
  for (let path = search.folders.pop(); path !== undefined && !isFull; path = search.folders.pop()) {
    const found = path
    isFull = await inFolder(workspace, found, (folder) => listFolder(search, found, folder)).catch(() => {
      walk.skipped += 1
      return false
    })
  }
  return isFull ? { ...walk, files: walk.files.slice(0, limit), isCutOff: true } : walk
}

type Search = { walk: Walk; limit: number; characters: number; folderCount: number; folders: string[] }

/** Returns whether the limits are reached. */
async function listFolder(search: Search, folderPath: string, folder: OpenFolder): Promise<boolean> {
  const { walk, limit } = search
  let waiting: string[] = []
  const add = async () => {
    await addFiles(walk, { folder, folderPath }, waiting)
    waiting = []
  }
  for await (const entry of await opendir(folder.place('.'), { bufferSize: 256 })) {
    const path = join(folderPath, entry.name)
    search.characters += path.length
    // A name that is not UTF-8 is read as another one, which may be that of another file.
    if (entry.name.includes('\uFFFD')) walk.skipped += 1
    else if (!entry.isDirectory()) waiting.push(entry.name)
    else if (search.folderCount < limit) {
      search.folderCount += 1
      search.folders.push(path)
    } else walk.isCutOff = true
    if (waiting.length === filesAtOnce) await add()
    if (walk.files.length >= limit || search.characters > maxPathCharacters) return true
  }
  await add()
  return false
}

const join = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)

type Place = { folder: OpenFolder; folderPath: string }

async function addFiles(walk: Walk, { folder, folderPath }: Place, names: readonly string[]) {
  const found = await Promise.all(names.map((name) => lstat(folder.place(name), { bigint: true }).catch(() => null)))
  for (const [index, name] of names.entries()) {
    const stats = found[index]
    if (stats?.isFile() || stats?.isSymbolicLink()) walk.files.push(toFound(join(folderPath, name), stats))
    else walk.skipped += 1
  }
}

/** Only what is compared, because the statistics of many files fill the memory. */
const toFound = (path: string, stats: BigIntStats): FoundFile => ({
  path,
  kind: stats.isFile() ? 'file' : 'link',
  sizeBytes: Number(stats.size),
  isExecutable: stats.isFile() && (stats.mode & 0o111n) !== 0n,
  inode: stats.ino,
  modifiedAt: stats.mtimeNs,
  changedAt: stats.ctimeNs,
})
