import { hash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'

import { type FolderLock, lockFolder } from '#platform/ground/database/lock-folder.ts'
import { removeFolder } from '#platform/ground/files/remove-folder.ts'
import { killLeftovers } from '#platform/engine/sandbox/kill-leftovers.ts'

const tries = 5
const newsMs = 60_000

/** No run lasts longer. */
const longestRunMs = 7 * 24 * 3_600_000

/**
 * Names the running kernel, also in containers. On some network file systems, a process sees only the locks of its own
 * kernel, so the lock of a living worker on another machine seems free.
 */
function kernelName() {
  let id = hostname()
  try {
    id = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
  } catch {
    // macOS.
  }
  return hash('sha256', id).slice(0, 12)
}

const kernel = kernelName()

/** Whether the worker of a folder runs on another machine, or ran before this one started. */
const isForeign = (name: string) => /^[0-9a-f]{12}-[0-9a-f-]{36}$/.test(name) && !name.startsWith(kernel)

/** Beside the lock, so that emptying it does not remove the lock. */
const runsOf = (folder: string) => join(folder, 'runs')

type WorkFolder = FolderLock & {
  workFolder: string
  /** The folder name, which is the last part of the worker's id. */
  name: string
  /**
   * Whether the worker with this name had its folder here and has ended. Its lock proves that, so nobody need wait for
   * its lease. False for workers of other machines, and for those from before this one started.
   */
  hasEnded: (name: string) => boolean
}

/**
 * Creates a folder below `root` for one worker. The kernel releases its lock when the process ends. Also removes the
 * folders of workers that have ended. Process ids cannot show which ones: workers in containers share a folder but not
 * their ids. `isAlone` says that no other worker, on any machine, may use `root`.
 */
export async function openWorkFolder(root: string, { isAlone = false } = {}): Promise<WorkFolder> {
  // Runs can write anything, including setuid programs, so no other user may enter this folder.
  await mkdir(root, { recursive: true, mode: 0o700 })
  const { folder, lock } = lockNewFolder(root)
  for (const name of await readdir(root)) {
    const mayBeAlive = !isAlone && isForeign(name) && hadRunsLately(join(root, name))
    if (join(root, name) !== folder && !mayBeAlive) await removeUnlessLocked(join(root, name))
  }
  return {
    workFolder: runsOf(folder),
    name: basename(folder),
    hasEnded: (name) =>
      !isForeign(name) && existsSync(join(root, name, 'lock')) && !isWorkerAlive(runsOf(join(root, name))),
    release: lock.release,
  }
}

/** Whether the worker of a folder that `openWorkFolder` returned is alive. */
export function isWorkerAlive(workFolder: string): boolean {
  const folder = dirname(workFolder)
  if (!existsSync(join(folder, 'lock'))) return false
  try {
    lockFolder(folder).release()
    return false
  } catch {
    return true
  }
}

/** Another worker may remove the new folder as abandoned before it is locked; then this tries again. */
function lockNewFolder(root: string, triesLeft = tries): { folder: string; lock: FolderLock } {
  const folder = join(root, `${kernel}-${randomUUID()}`)
  try {
    const lock = lockFolder(folder)
    if (existsSync(join(folder, 'lock'))) return { folder, lock }
    lock.release()
  } catch (error) {
    if (triesLeft <= 1) throw error
  }
  return lockNewFolder(root, triesLeft - 1)
}

const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

const hadRunsLately = (folder: string) =>
  Date.now() - Math.max(changedAt(folder), changedAt(runsOf(folder))) < longestRunMs

/**
 * Empties the folder of a worker that has ended. The folder itself stays for a minute, because its lock tells other
 * workers to requeue the runs.
 */
async function removeUnlessLocked(folder: string) {
  const isNews = existsSync(join(folder, 'lock')) && Date.now() - changedAt(folder) < newsMs
  const hadRuns = existsSync(runsOf(folder))
  let lock: FolderLock
  try {
    lock = lockFolder(folder)
  } catch {
    // Its worker is alive, or it is not a worker's folder.
    return
  }
  try {
    await killLeftovers(runsOf(folder))
    // The next worker that starts tries again.
    await removeFolder(isNews || hadRuns ? runsOf(folder) : folder).catch(() => {})
  } finally {
    lock.release()
  }
}
