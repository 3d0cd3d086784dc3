import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

import { ContentLost } from '#platform/ground/content/content-job.ts'
import { InfrastructureFailure, RunFailure } from '#platform/queue/run-queue/run-failure.ts'

/** With less room than this, a worker starts nothing, and failures of its runs are those of the disk. */
const minFreeBytes = 64 * 1024 * 1024

/** Also without room for files: this many, or one in a hundred of a small disk. */
const minFreeFiles = 10_000

const fullCodes = new Set(['ENOSPC', 'EDQUOT'])

/** Whether the disk of this folder is full. A folder that does not exist yet is on the disk of its parent. */
export async function isDiskFull(folder: string): Promise<boolean> {
  for (let place = folder; ; place = dirname(place)) {
    const free = await statfs(place).then(
      ({ bavail, bsize, files, ffree }) => ({ bytes: bavail * bsize, files, freeFiles: ffree }),
      () => null,
    )
    if (free !== null) return isFull(free)
    if (place === dirname(place)) return false
  }
}

/** Some file systems have no limit for files, and say 0 of 0. */
export const isFull = ({ bytes, files, freeFiles }: { bytes: number; files: number; freeFiles: number }) =>
  bytes < minFreeBytes || (files > 0 && freeFiles < Math.min(minFreeFiles, files / 100))

const isFullDiskError = (error: unknown) =>
  error instanceof Error && 'code' in error && fullCodes.has(String(error.code))

export const diskFailure = () => new InfrastructureFailure('The disk of the worker is full', 'disk_full')

/** Returns the failure of a run for an error, or null for a fault of the program. A full disk explains any failure. */
export async function asFailure(error: unknown, folder: string): Promise<RunFailure | null> {
  if (isFullDiskError(error)) return diskFailure()
  if (error instanceof ContentLost) return new InfrastructureFailure(error.message, 'worker_failed')
  if (!(error instanceof RunFailure)) return null
  return (await isDiskFull(folder)) ? diskFailure() : error
}
