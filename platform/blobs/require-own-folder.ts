import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Database } from '#platform/database/open-database.ts'
import { findStore, insertStore } from './store.ts'

/**
 * Throws unless `folder` has the blobs of this database: processes with different folders would not find each other's
 * blobs. The first server to start chooses its folder; a worker never chooses one.
 */
export async function requireOwnFolder(db: Database, folder: string, { mayClaim }: { mayClaim: boolean }) {
  const path = join(folder, 'store-id')
  const written = (await readFile(path, 'utf8').catch(() => null))?.trim()
  const stored = await findStore(db)
  if (stored && stored === written) return
  if (stored) throw new Error(anotherFolder(folder, stored))
  if (!mayClaim) throw new Error('No server has used this database yet: start a server once, then this worker')
  const id = written ?? randomUUID()
  // The file is first: a store id in the database without a matching folder would prevent every start.
  await mkdir(folder, { recursive: true })
  if (written === undefined) await writeFile(path, `${id}\n`, { flag: 'wx', mode: 0o600 })
  await insertStore(db, id)
  const claimed = await findStore(db)
  if (claimed !== id) throw new Error(anotherFolder(folder, claimed ?? ''))
}

const anotherFolder = (folder: string, id: string) =>
  `The transcripts and packages of this database are not in ${folder}: set DATA_DIR to the data folder of the server, or mount it here. If this folder has them because they were moved or restored, write ${id} into its file store-id`
