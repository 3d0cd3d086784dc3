import type { Database } from '#platform/database/open-database.ts'
import { blobStores } from '#platform/database/tables/blobs.ts'

/** The id of the folder that holds the blobs of this database. */
export async function findStore(db: Database) {
  const [row] = await db.select().from(blobStores)
  return row?.id
}

/** Changes nothing when the database already names a folder. */
export async function insertStore(db: Database, id: string) {
  await db.insert(blobStores).values({ id }).onConflictDoNothing()
}
