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

/** The number of further files for which a disk has room. Some file systems have no limit, and say 0 of 0. */
const freeFilesOf = (folder: string) =>
  statfs(folder).then(
    ({ files, ffree }) => (files > 0 ? ffree : Infinity),
    () => Infinity,
  )
