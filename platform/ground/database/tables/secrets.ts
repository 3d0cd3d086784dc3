import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { instant } from '#platform/ground/database/columns.ts'
import { organizations, users } from './identity.ts'

/**
 * An encrypted value: `sealed` can be opened with the installation's key `keyId`, for this organization and slug only.
 */
export const secrets = pgTable(
  'secrets',
  {
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    slug: text().notNull(),
    description: text(),
    sealed: text().notNull(),
    keyId: text().notNull(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull(),
    updatedBy: uuid()
      .notNull()
      .references(() => users.id),
    updatedAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.slug] }),
    index('secrets_by_key').on(table.keyId, table.organizationId, table.slug),
  ],
)
