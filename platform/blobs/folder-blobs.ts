import { randomUUID } from 'node:crypto'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Blobs } from './blobs.ts'

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Blobs as files below `folder`; written beside their place and renamed into it. */
export function folderBlobs(folder: string): Blobs {
  const pathOf = (key: string) => join(folder, ...key.split('/'))
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true })
      const unfinished = `${path}.${randomUUID()}.part`
      await writeFile(unfinished, bytes)
      await rename(unfinished, path)
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
