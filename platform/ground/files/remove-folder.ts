import { lstat, opendir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { runToEnd } from '#platform/ground/processes/run-to-end.ts'

/** A process of its own removes a larger folder: this one would need memory and time for each of a million files. */
const maxEntries = 1000
const maxDepth = 100

/** Removes a run's folder, even if the agent made it unreadable or nested it deeper than the maximum path length. */
export async function removeFolder(folder: string) {
  try {
    const found = await lstat(folder)
    if (found.isDirectory() && (await removeSmall(folder, { left: maxEntries }, 0))) return
    await runRm(folder)
  } catch (error) {
    if (isMissing(error, folder)) return
    await runToEnd('chmod', ['-R', 'u+rwX', folder]).catch(() => {})
    await runRm(folder)
  }
}

/** False for an entry that something else removed meanwhile. */
const isMissing = (error: unknown, folder: string) =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'path' in error && error.path === folder

/** `rm` walks from folder to folder and so needs no complete path. */
const runRm = (folder: string) => runToEnd('rm', ['-rf', '--', folder])

/** Returns whether the folder is gone. It is not if it has more entries than `budget` allows. */
async function removeSmall(folder: string, budget: { left: number }, depth: number): Promise<boolean> {
  for await (const entry of await opendir(folder)) {
    budget.left -= 1
    if (budget.left < 0 || depth > maxDepth) return false
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) await unlink(path)
    else if (!(await removeSmall(path, budget, depth + 1))) return false
  }
  await rmdir(folder)
  return true
}
