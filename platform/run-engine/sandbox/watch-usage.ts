import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { ProcessLimits } from './limits.ts'
import type { RunFolders } from './sandbox.ts'

const processesEveryMs = 1000
const diskEveryMs = 3000
/** A measurement of a large folder is costly, so at most a tenth of the time is spent on it. */
const restPerMeasurement = 9

type Watched = { folders: RunFolders; limits: ProcessLimits; firstProcess: () => number }

/**
 * Tells once when a sandbox has more processes or has written more than it may: where we are root the kernel limits neither.
 * Returns what ends the watch.
 */
export function watchUsage({ folders, limits, firstProcess }: Watched, onExceeded: (reason: string) => void) {
  const timers = new Set<NodeJS.Timeout>()
  let isOver = false
  const every = (ms: number, check: () => Promise<string | null>) => {
    const timer = setTimeout(async () => {
      timers.delete(timer)
      const startedAt = performance.now()
      const reason = await check().catch(() => null)
      if (isOver) return
      if (reason === null) every(Math.max(ms, (performance.now() - startedAt) * restPerMeasurement), check)
      else onExceeded(reason)
    }, ms)
    timers.add(timer)
  }
  if (limits.processes > 0)
    every(processesEveryMs, async () => {
      const count = await countThreads(firstProcess(), limits.processes)
      return count > limits.processes ? `It had more than ${limits.processes} processes and threads` : null
    })
  if (limits.diskMb > 0)
    every(diskEveryMs, async () =>
      (await writtenMb(folders)) > limits.diskMb ? `It wrote more than ${limits.diskMb} MiB` : null,
    )
  return () => {
    isOver = true
    for (const timer of timers) clearTimeout(timer)
  }
}

/** Of the whole namespace, seen through its own /proc; stops counting above `limit`. */
async function countThreads(firstProcess: number, limit: number) {
  if (firstProcess === 0) return 0
  const proc = `/proc/${firstProcess}/root/proc`
  let count = 0
  for (const name of await readdir(proc)) {
    if (!/^\d+$/.test(name)) continue
    // A folder's links count its subfolders, one for each thread, and itself twice.
    count += await stat(join(proc, name, 'task')).then(
      ({ nlink }) => nlink - 2,
      () => 0,
    )
    if (count > limit) break
  }
  return count
}

/** What the files take on the disk. `du` exits with 1 where it may not look everywhere, having counted the rest. */
async function writtenMb({ workspace, home }: RunFolders) {
  const found = await promisify(execFile)('du', ['-skxc', '--', workspace, home]).catch((error: unknown) => error)
  const printed = typeof found === 'object' && found !== null && 'stdout' in found ? String(found.stdout) : ''
  return Number(/^(\d+)\s+total$/m.exec(printed)?.[1] ?? 0) / 1024
}
