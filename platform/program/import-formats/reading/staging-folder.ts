import { lstatSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { lockFolder } from '#platform/ground/database/lock-folder.ts'

const prefix = 'assay-import-'

/** A process locks its folder at once. */
const lockedWithinMs = 5000

/**
 * A private folder for the files of one import. Its lock ends with this process, however it ends, so the next import
 * removes what a killed one left.
 */
export async function openStagingFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  await removeAbandonedFolders()
  const folder = await mkdtemp(join(tmpdir(), prefix))
  const lock = lockFolder(folder)
  return {
    folder,
    async remove() {
      lock.release()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Removes folders of imports whose process has ended. */
export async function removeAbandonedFolders() {
  for (const name of await readdir(tmpdir())) if (name.startsWith(prefix)) await removeUnlessUsed(join(tmpdir(), name))
}

async function removeUnlessUsed(folder: string) {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  // Others may write to the folder for temporary files, so neither links nor their folders are touched.
  if (!stats?.isDirectory() || stats.uid !== process.getuid?.()) return
  if (Date.now() - stats.ctimeMs < lockedWithinMs) return
  try {
    lockFolder(folder).release()
    await rm(folder, { recursive: true, force: true })
  } catch {
    // Its process is alive.
  }
}
