import { randomUUID } from 'node:crypto'
import { access, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

import { type Blobs, type BlobStore, type StoredBlob, storeIdKey } from './blobs.ts'
import { removeUnfinished } from './remove-unfinished.ts'

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** The folder for unfinished blobs: on the same disk, so that a rename works, and easy to clean up after a kill. */
const unfinishedFolder = '.unfinished'

/** Creates the folder of a file only if the write of the file finds none. */
async function withFolderOf(path: string, write: () => Promise<void>) {
  try {
    await write()
  } catch (error) {
    if (!isMissing(error)) throw error
    await mkdir(dirname(path), { recursive: true })
    await write()
  }
}

/** Blobs as files below `folder`. A file is written completely and then renamed. */
export function folderBlobs(folder: string): Blobs {
  const pathOf = (key: string) => join(folder, ...key.split('/'))
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const unfinished = join(folder, unfinishedFolder, `${randomUUID()}.part`)
      try {
        await withFolderOf(unfinished, () => writeFile(unfinished, bytes))
        await mkdir(dirname(path), { recursive: true })
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
    sizeOf: (key) =>
      stat(pathOf(key)).then(
        ({ size }) => size,
        (error: unknown) => {
          if (isMissing(error)) return null
          throw error
        },
      ),
    delete: (key) => rm(pathOf(key), { force: true }),
  }
}

/** The same folder as a store. */
export function folderStore(folder: string): BlobStore {
  const idPath = join(folder, storeIdKey)
  const readId = async () => (await readFile(idPath, 'utf8').catch(() => null))?.trim() ?? null
  return {
    ...folderBlobs(folder),
    place: folder,
    list: () => listFiles(folder),
    readId,
    async writeId(id) {
      await mkdir(folder, { recursive: true })
      const draft = `${idPath}-${randomUUID()}`
      await writeFile(draft, `${id}\n`, { flag: 'wx', mode: 0o600 })
      await link(draft, idPath).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      await rm(draft)
      return (await readId()) ?? id
    },
    removeUnfinished: () => removeUnfinished(folder),
  }
}

async function* listFiles(folder: string): AsyncGenerator<StoredBlob> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const key = relative(folder, path).split(sep).join('/')
    if (!entry.isFile() || key.startsWith(storeIdKey) || key.endsWith('.part')) continue
    const found = await stat(path).catch(() => null)
    if (found) yield { key, bytes: found.size }
  }
}
