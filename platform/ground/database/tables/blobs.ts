import { boolean, pgTable, uuid } from 'drizzle-orm/pg-core'

/** The only blob store for all processes of this database. A file in the store has the same id. */
export const blobStores = pgTable('blob_stores', {
  id: uuid().primaryKey(),
  isOnly: boolean().notNull().default(true).unique(),
})
