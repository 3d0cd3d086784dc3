import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { type FolderLock, lockFolder } from '#platform/database/lock-folder.ts'
import { removeFolder } from './remove-folder.ts'
import { killLeftovers } from '#platform/run-engine/sandbox/kill-leftovers.ts'

const tries = 5

/** Beside the lock, so that emptying it does not take the lock away. */
const runsOf = (folder: string) => join(folder, 'runs')

/**
 * A folder below `root` for one worker, held by a lock that the kernel drops with the process, and rid of what ended workers
 * left beside it. Process ids would not do: workers in containers share a folder, and their ids.
 */
export async function openWorkFolder(root: string): Promise<{ workFolder: string } & FolderLock> {
  // What runs write may be anything, a program that becomes another user included: nobody else gets at it.
  await mkdir(root, { recursive: true, mode: 0o700 })
  const { folder, lock } = lockNewFolder(root)
  for (const name of await readdir(root)) {
    if (join(root, name) !== folder) await removeUnlessLocked(join(root, name))
  }
  return { workFolder: runsOf(folder), release: lock.release }
}

/** Another worker may take ours for an ended one's, and remove it, before it is locked: then we try again. */
function lockNewFolder(root: string, triesLeft = tries): { folder: string; lock: FolderLock } {
  const folder = join(root, randomUUID())
  try {
    const lock = lockFolder(folder)
    if (existsSync(join(folder, 'lock'))) return { folder, lock }
    lock.release()
  } catch (error) {
    if (triesLeft <= 1) throw error
  }
  return lockNewFolder(root, triesLeft - 1)
}

async function removeUnlessLocked(folder: string) {
  let lock: FolderLock
  try {
    lock = lockFolder(folder)
  } catch {
    // Its worker lives, or it is no folder of ours.
    return
  }
  try {
    await killLeftovers(runsOf(folder))
    // What cannot be removed now is tried again by the next worker that starts.
    await removeFolder(folder).catch(() => {})
  } finally {
    lock.release()
  }
}
