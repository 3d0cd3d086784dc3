import { constants, type BigIntStats } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** File systems count the time of a change in steps of some milliseconds, a few of them in seconds. */
const stepMs = 2000n

type Stamp = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'>

/**
 * Copies the files of a folder to the new folder `to` on the same disk, as of one moment. They are copied while others write
 * to them. `whileStill` does its work while nobody writes: the files that changed meanwhile are copied again.
 */
export async function copyWhileOpen(
  from: string,
  to: string,
  whileStill: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await mkdir(to)
  // The time of the disk, which may be another machine's.
  const startedAt = (await stat(to, { bigint: true })).mtimeMs
  const unchanged = new Map<string, Stamp>()
  await forEachEntry(from, async (path, isFolder) => {
    if (isFolder) return void (await mkdir(join(to, path), { recursive: true }))
    const before = await stat(join(from, path), { bigint: true })
    await copy(join(from, path), join(to, path))
    // A later change could have the same time as one from just before the copy.
    if (before.mtimeMs < startedAt - stepMs) unchanged.set(path, before)
  })
  await whileStill(() => copyChanged(from, to, unchanged))
}

async function copyChanged(from: string, to: string, unchanged: ReadonlyMap<string, Stamp>) {
  const left = new Set<string>()
  await forEachEntry(from, async (path, isFolder) => {
    left.add(path)
    if (isFolder) return void (await mkdir(join(to, path), { recursive: true }))
    const known = unchanged.get(path)
    const now = await stat(join(from, path), { bigint: true })
    if (known === undefined || !isSame(known, now)) await copy(join(from, path), join(to, path))
  })
  await forEachEntry(to, async (path) => {
    if (!left.has(path)) await rm(join(to, path), { recursive: true, force: true })
  })
}

const isSame = (one: Stamp, other: Stamp) =>
  one.size === other.size && one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs && one.ino === other.ino

/** Disks that share the blocks of a copy do it at once. */
const copy = (from: string, to: string) => copyFile(from, to, constants.COPYFILE_FICLONE)

/** Folders come before their entries. An entry may disappear meanwhile. */
async function forEachEntry(folder: string, work: (path: string, isFolder: boolean) => Promise<void>) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({ path: relative(folder, join(entry.parentPath, entry.name)), isFolder: entry.isDirectory() }))
  for (const { path, isFolder } of paths)
    await work(path, isFolder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
}
