import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Removes a run's folder, even if the agent made it unreadable or nested it deeper than the maximum path length. */
export async function removeFolder(folder: string) {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch {
    await run('chmod', ['-R', 'u+rwX', folder]).catch(() => {})
    // `rm` walks from folder to folder and so needs no complete path.
    await run('rm', ['-rf', '--', folder])
  }
}
