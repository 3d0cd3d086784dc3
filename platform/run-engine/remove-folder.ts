import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Removes a run's folder, even when the agent took away our right to look into it. */
export async function removeFolder(folder: string) {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch {
    await promisify(execFile)('chmod', ['-R', 'u+rwX', folder]).catch(() => {})
    await rm(folder, { recursive: true, force: true })
  }
}
