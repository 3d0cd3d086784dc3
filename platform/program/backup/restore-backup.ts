import { randomUUID } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { extract } from 'tar'

import { openDatabase } from '#platform/ground/database/open-database.ts'
import { enqueueEverything } from '#platform/analysis/projection/enqueue-everything.ts'
import { Manifest, manifestName } from './manifest.ts'

/**
 * Makes the data folder of a backup. It must not exist or be empty, and appears when it is complete. The analytics are
 * made again by the first start. Returns what the backup says about itself. Throws an Error that says why the file or
 * the folder cannot be used.
 */
export async function restoreBackup(file: string, dataFolder: string): Promise<Manifest> {
  await requireEmpty(dataFolder)
  await mkdir(dirname(dataFolder), { recursive: true })
  const next = `${dataFolder}.restoring-${randomUUID()}`
  await mkdir(next, { mode: 0o700 })
  try {
    const manifest = await unpack(file, next)
    const { db, close } = await openDatabase({ folder: join(next, 'state') })
    await enqueueEverything(db).finally(close)
    await rm(join(next, manifestName))
    await rmdir(dataFolder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await rename(next, dataFolder)
    return manifest
  } finally {
    // After a fault, files that were being unpacked may still arrive.
    await rm(next, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

async function requireEmpty(dataFolder: string) {
  const names = await readdir(dataFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.length > 0)
    throw new Error(`The data folder ${dataFolder} is not empty. Move it away, or choose another one with DATA_DIR`)
}

async function unpack(file: string, folder: string): Promise<Manifest> {
  try {
    // A backup has nothing but files and folders.
    await extract({ file, cwd: folder, strict: true, filter: (_, entry) => 'type' in entry && isPlain(entry.type) })
  } catch (error) {
    throw new Error(`${file} cannot be read as a backup: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => null)
  const manifest = text === null ? null : Manifest.safeParse(JSON.parse(text))
  if (!manifest) throw new Error(`${file} is not a backup of Assay`)
  if (!manifest.success) throw new Error(`${file} was made by a newer version of Assay. Restore it with that version`)
  // Without it, the database would open as a new, empty one.
  await access(join(folder, 'state', 'PG_VERSION')).catch(() => {
    throw new Error(`${file} is not a whole backup: its database is missing`)
  })
  return manifest.data
}

const isPlain = (type: string) => type === 'File' || type === 'OldFile' || type === 'Directory'
