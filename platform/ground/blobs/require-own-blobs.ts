import { randomUUID } from 'node:crypto'

import type { Database } from '#platform/ground/database/open-database.ts'
import type { BlobStore } from './blobs.ts'
import { findStore, insertStore, lockStore } from './store.ts'

type Options = {
  mayClaim: boolean
  /** The store that the database would have without its present settings. */
  earlier?: BlobStore | null
}

/**
 * Throws unless `store` has the blobs of this database: processes with different stores would not find each other's
 * blobs. The first server to start chooses its store; a worker never chooses one.
 */
export async function requireOwnBlobs(db: Database, store: BlobStore, options: Options) {
  // Many workers start at the same time, and nearly always the store is the one that the database knows.
  const known = await findStore(db)
  if (known && known === (await store.readId())) return
  // Two servers that start at once would both write an id, and a bucket may keep the last.
  await db.transaction(async (tx) => {
    await lockStore(tx)
    await requireOwn(tx, store, options)
  })
}

async function requireOwn(db: Database, store: BlobStore, { mayClaim, earlier = null }: Options) {
  const stored = await findStore(db)
  // Read second: a server that starts at the same time writes its id first.
  const written = await store.readId()
  if (stored && stored === written) return
  if (stored) throw new Error(anotherStore(store, stored))
  if (!mayClaim) throw new Error('No server has used this database yet: start a server once, then this worker')
  if (written === null && earlier && (await hasBlobs(earlier))) throw new Error(notCopied(earlier, store))
  // The store is first: an id in the database without a matching store would prevent every start.
  const id = written ?? (await store.writeId(randomUUID()))
  await insertStore(db, id)
  const claimed = await findStore(db)
  if (claimed !== id) throw new Error(anotherStore(store, claimed ?? ''))
}

async function hasBlobs(store: BlobStore) {
  for await (const _ of store.list()) return true
  return false
}

const notCopied = (earlier: BlobStore, { place }: BlobStore) =>
  `The packages and transcripts of this installation are in ${earlier.place}, not in ${place}. Copy them first: npm run -s assay -- blobs copy --from ${earlier.place} --to ${place}`

const anotherStore = ({ place }: BlobStore, id: string) =>
  `${place} belongs to another database, or to none. Start a worker with its server’s DATA_DIR or BLOBS_URL. To move the packages and transcripts here, run “npm run -s assay -- blobs copy --from … --to …”. If you restored them here, write ${id} to ${place.replace(/\/$/, '')}/store-id`
