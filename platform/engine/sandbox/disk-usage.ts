import { statfs } from 'node:fs/promises'

import { folderMeter } from './folder-meter.ts'

/**
 * The disk space that a file occupies at least, with its entry in the list of files. A usual disk (ext4) has room for one
 * file in 16 KiB; then it is full for everybody, however small the files are.
 */
export const kilobytesOfFile = 16

/** One for all runs. */
const measure = folderMeter()

/** The disk space of folders in MiB. Many small files count for the room that their disk has for files. */
export async function diskUsageMb(folders: readonly string[]) {
  const { kilobytes, files } = await measure(folders)
  return Math.max(kilobytes, files * kilobytesOfFile) / 1024
}

/** A run may use this part of the files for which its disk had room when it started. */
const shareOfFreeFiles = 1 / 4

/** Returns a check of what a run has written, which resolves to the reason once it is too much. */
export function createDiskCheck(
  written: readonly string[],
  limitMb: number,
  atStart: Promise<number> = freeFilesOf(written[0] ?? '/'),
) {
  return async (): Promise<string | null> => {
    const { kilobytes, files } = await measure(written)
    if (kilobytes > limitMb * 1024) return `It wrote more than ${limitMb} MiB`
    const free = await atStart
    const most = Math.floor(Math.min((limitMb * 1024) / kilobytesOfFile, free * shareOfFreeFiles))
    return files > most ? `It made more than ${most.toLocaleString('en')} files` : null
  }
}

/** For how many more bytes and files a disk has room. Some file systems have no limit for files, and say 0 of 0. */
type Room = { bytes: number; files: number }

export const roomOf = (folder: string): Promise<Room> =>
  statfs(folder).then(
    ({ bavail, bsize, files, ffree }) => ({ bytes: bavail * bsize, files: files > 0 ? ffree : Infinity }),
    () => ({ bytes: Infinity, files: Infinity }),
  )

const freeFilesOf = async (folder: string) => (await roomOf(folder)).files

/** After this loss of room a folder is measured again at once. */
const lossOfRoom = 1 / 8

const hasLost = (before: Room, now: Room) =>
  now.bytes < before.bytes * (1 - lossOfRoom) || now.files < before.files * (1 - lossOfRoom)

type Terms = { everyMs: number; rest: number; readRoom: () => Promise<Room> }

/**
 * Measures only when a measurement is due, because a large folder takes long: after `rest` times as long as the last one
 * took. In that time a run could fill the disk, so it is also due when the disk has lost much of its room, which costs
 * nothing to know.
 */
export function checkWhenDue(check: () => Promise<string | null>, { everyMs, rest, readRoom }: Terms) {
  let dueAt = performance.now() + everyMs
  let room = readRoom()
  return async (): Promise<string | null> => {
    const now = await readRoom()
    if (performance.now() < dueAt && !hasLost(await room, now)) return null
    room = Promise.resolve(now)
    const startedAt = performance.now()
    const reason = await check()
    const endedAt = performance.now()
    dueAt = endedAt + Math.max(everyMs, (endedAt - startedAt) * rest)
    return reason
  }
}
