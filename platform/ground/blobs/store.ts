import { lockNamed } from '#platform/ground/database/lock-named.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { stayOpen } from '#platform/ground/database/stay-open.ts'
import { blobStores } from '#platform/ground/database/tables/blobs.ts'

/** The id of the folder that holds the blobs of this database. */
export async function findStore(db: Database) {
  const [row] = await db.select().from(blobStores)
  return row?.id
}

/** Lets one process at a time choose the store. The transaction may wait for the store itself. */
export async function lockStore(tx: Database) {
  await stayOpen(tx)
  await lockNamed(tx, 'blob store')
}

/** Changes nothing when the database already names a folder. */
export async function insertStore(db: Database, id: string) {
  await db.insert(blobStores).values({ id }).onConflictDoNothing()
}
