import { randomUUID } from 'node:crypto'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Blobs } from './blobs.ts'

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** The folder for unfinished blobs: on the same disk, so that a rename works, and easy to clean up after a kill. */
const unfinishedFolder = '.unfinished'

/** Blobs as files below `folder`. A file is written completely and then renamed. */
export function folderBlobs(folder: string): Blobs {
  const pathOf = (key: string) => join(folder, ...key.split('/'))
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const unfinished = join(folder, unfinishedFolder, `${randomUUID()}.part`)
      await mkdir(dirname(unfinished), { recursive: true })
      await mkdir(dirname(path), { recursive: true })
      try {
        await writeFile(unfinished, bytes)
        await rename(unfinished, path)
      } catch (error) {
        // Frees the space on a full disk.
        await rm(unfinished, { force: true }).catch(() => {})
        throw error
      }
    },
    async get(key) {
      try {
        return await readFile(pathOf(key))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    has: (key) =>
      access(pathOf(key)).then(
        () => true,
        () => false,
      ),
    delete: (key) => rm(pathOf(key), { force: true }),
  }
}
