import { randomUUID } from 'node:crypto'

import type { Database } from '#platform/database/open-database.ts'
import type { BlobStore } from './blobs.ts'
import { findStore, insertStore } from './store.ts'

/**
 * Throws unless `store` has the blobs of this database: processes with different stores would not find each other's
 * blobs. The first server to start chooses its store; a worker never chooses one.
 */
export async function requireOwnBlobs(db: Database, store: BlobStore, { mayClaim }: { mayClaim: boolean }) {
  const stored = await findStore(db)
  // Read second: a server that starts at the same time writes its id first.
  const written = await store.readId()
  if (stored && stored === written) return
  if (stored) throw new Error(anotherStore(store, stored))
  if (!mayClaim) throw new Error('No server has used this database yet: start a server once, then this worker')
  // The store is first: an id in the database without a matching store would prevent every start.
  const id = written ?? (await store.writeId(randomUUID()))
  await insertStore(db, id)
  const claimed = await findStore(db)
  if (claimed !== id) throw new Error(anotherStore(store, claimed ?? ''))
}

const anotherStore = ({ place }: BlobStore, id: string) =>
  `The transcripts and packages of this database are not in ${place}. A worker needs the DATA_DIR or the BLOBS_URL of its server. To move them here, use assay blobs copy. If they are here already because they were restored, write ${id} into ${place.replace(/\/$/, '')}/store-id`
