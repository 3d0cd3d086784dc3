import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { checkWhenDue, createDiskCheck, roomOf } from './disk-usage.ts'
import type { ProcessLimits } from './limits.ts'

const everySecond = 1000
const diskEveryMs = 3000
/** Measuring a large folder is costly, so measuring takes at most a tenth of the time. */
const restPerMeasurement = 9

/** `written`: the folders on the host that the command can write. */
type Watched = { written: readonly string[]; limits: ProcessLimits; firstProcess: () => number }

/**
 * Reports once when a sandbox exceeds its processes, disk space or files, which the kernel does not limit for root, or a
 * process its memory, of which the kernel limits only what is not shared. Returns a function that ends the watch.
 */
export function watchUsage({ written, limits, firstProcess }: Watched, onExceeded: (reason: string) => void) {
  const timers = new Set<NodeJS.Timeout>()
  let isOver = false
  const every = (ms: number, check: () => Promise<string | null>, rest = restPerMeasurement) => {
    const timer = setTimeout(async () => {
      timers.delete(timer)
      const startedAt = performance.now()
      const reason = await check().catch(() => null)
      if (isOver) return
      if (reason === null) every(Math.max(ms, (performance.now() - startedAt) * rest), check, rest)
      else onExceeded(reason)
    }, ms)
    timers.add(timer)
  }
  if (limits.processes > 0)
    every(everySecond, async () => {
      const count = await countThreads(firstProcess(), limits.processes)
      return count > limits.processes ? `It had more than ${limits.processes} processes and threads` : null
    })
  if (limits.memoryMb > 0)
    every(everySecond, async () =>
      (await hasLargeProcess(firstProcess(), limits.memoryMb))
        ? `One of its processes used more than ${limits.memoryMb} MiB of memory`
        : null,
    )
  if (limits.diskMb > 0) {
    const terms = { everyMs: diskEveryMs, rest: restPerMeasurement, readRoom: () => roomOf(written[0] ?? '/') }
    every(everySecond, checkWhenDue(createDiskCheck(written, limits.diskMb), terms), 0)
  }
  return () => {
    isOver = true
    for (const timer of timers) clearTimeout(timer)
  }
}

/**
 * Whether a process of the namespace has more memory of its own and shared memory in use than the limit. Pages of files
 * do not count, because the kernel can drop them.
 */
async function hasLargeProcess(firstProcess: number, limitMb: number) {
  if (firstProcess === 0) return false
  const proc = `/proc/${firstProcess}/root/proc`
  for (const name of await readdir(proc)) {
    if (!/^\d+$/.test(name)) continue
    const status = await textOf(join(proc, name, 'status'))
    const kilobytesOf = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
    if (kilobytesOf('RssAnon') + kilobytesOf('RssShmem') > limitMb * 1024) return true
  }
  return false
}

/** A process may end at any time. */
const textOf = (file: string) => readFile(file, 'latin1').catch(() => '')

/** Counts the threads of the whole namespace through its own /proc; stops counting above `limit`. */
async function countThreads(firstProcess: number, limit: number) {
  if (firstProcess === 0) return 0
  const proc = `/proc/${firstProcess}/root/proc`
  let count = 0
  for (const name of await readdir(proc)) {
    if (!/^\d+$/.test(name)) continue
    // A folder's link count is one per subfolder (one per thread) plus two for itself.
    count += await stat(join(proc, name, 'task')).then(
      ({ nlink }) => nlink - 2,
      () => 0,
    )
    if (count > limit) break
  }
  return count
}
