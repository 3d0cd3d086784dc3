import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** The engine keeps each part of a table for eight minutes after a merge, and again after each restart. */
const sizeMb = 1500

/** Makes the data folder a small disk of its own, where the system lets us mount one. */
export function openDataDisk(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const options = `size=${sizeMb}m,mode=0700`
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, folder, folder]).status === 0
  const ballast = join(folder, 'ballast')
  return {
    isMounted,
    /** Leaves this many bytes free. */
    async fill(leave: number) {
      const { bavail, bsize } = await statfs(folder)
      const file = await open(ballast, 'w')
      const block = Buffer.alloc(1024 * 1024)
      try {
        for (let left = bavail * bsize - leave; left > 0; left -= block.length)
          await file.write(block, 0, Math.min(left, block.length))
      } catch (error) {
        // The others wrote meanwhile: the disk is full, which was the aim.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        await file.close()
      }
    },
    empty: () => rm(ballast, { force: true }),
    close() {
      if (isMounted) spawnSync('umount', [folder])
    },
  }
}
