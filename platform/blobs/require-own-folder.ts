import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Database } from '#platform/database/open-database.ts'
import { findStore, insertStore } from './store.ts'

/**
 * Throws unless `folder` has the blobs of this database: processes with different folders would not find each other's
 * blobs. The first server to start chooses its folder; a worker never chooses one.
 */
export async function requireOwnFolder(db: Database, folder: string, { mayClaim }: { mayClaim: boolean }) {
  const path = join(folder, 'store-id')
  const stored = await findStore(db)
  // Read second: a server that starts at the same time writes its file first.
  const written = await readId(path)
  if (stored && stored === written) return
  if (stored) throw new Error(anotherFolder(folder, stored))
  if (!mayClaim) throw new Error('No server has used this database yet: start a server once, then this worker')
  // The file is first: a store id in the database without a matching folder would prevent every start.
  const id = written ?? (await writeId(folder, path))
  await insertStore(db, id)
  const claimed = await findStore(db)
  if (claimed !== id) throw new Error(anotherFolder(folder, claimed ?? ''))
}

const readId = async (path: string) => (await readFile(path, 'utf8').catch(() => null))?.trim()

/** Writes a new id, whole or not at all, and returns the id of the folder: another server's if that one was first. */
async function writeId(folder: string, path: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const draft = `${path}-${randomUUID()}`
  await writeFile(draft, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 })
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await readFile(path, 'utf8')).trim()
}

const anotherFolder = (folder: string, id: string) =>
  `The transcripts and packages of this database are not in ${folder}: set DATA_DIR to the data folder of the server, or mount it here. If this folder has them because they were moved or restored, write ${id} into its file store-id`
