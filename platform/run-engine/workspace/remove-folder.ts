import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Removes a run's folder, even when the agent took away our right to look into it, or nested it deeper than a path may be long. */
export async function removeFolder(folder: string) {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch {
    await run('chmod', ['-R', 'u+rwX', folder]).catch(() => {})
    // It goes from folder to folder, and so needs no whole path.
    await run('rm', ['-rf', '--', folder])
  }
}
