import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

import { InfrastructureFailure, RunFailure } from '#platform/run-queue/run-failure.ts'

/** With less room than this, a worker starts nothing, and failures of its runs are those of the disk. */
const minFreeBytes = 64 * 1024 * 1024

const fullCodes = new Set(['ENOSPC', 'EDQUOT'])

/** Whether the disk of this folder is full. A folder that does not exist yet is on the disk of its parent. */
export async function isDiskFull(folder: string): Promise<boolean> {
  for (let place = folder; ; place = dirname(place)) {
    const free = await statfs(place).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    )
    if (free !== null) return free < minFreeBytes
    if (place === dirname(place)) return false
  }
}

const isFullDiskError = (error: unknown) =>
  error instanceof Error && 'code' in error && fullCodes.has(String(error.code))

export const diskFailure = () => new InfrastructureFailure('The disk of the worker is full', 'disk_full')

/** Returns the failure of a run for an error, or null for a fault of the program. A full disk explains any failure. */
export async function asFailure(error: unknown, folder: string): Promise<RunFailure | null> {
  if (isFullDiskError(error)) return diskFailure()
  if (!(error instanceof RunFailure)) return null
  return (await isDiskFull(folder)) ? diskFailure() : error
}
