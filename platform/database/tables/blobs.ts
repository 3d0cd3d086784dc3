import { boolean, pgTable, uuid } from 'drizzle-orm/pg-core'

/** The one store that every process of this database keeps blobs in. A file in the store carries the same id. */
export const blobStores = pgTable('blob_stores', {
  id: uuid().primaryKey(),
  isOnly: boolean().notNull().default(true).unique(),
})
