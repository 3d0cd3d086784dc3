import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference, userReference } from './identity.ts'

/**
 * An encrypted value: `sealed` can be opened with the installation's key `keyId`, for this organization and slug only.
 */
export const secrets = pgTable(
  'secrets',
  {
    organizationId: organizationReference(),
    slug: text().notNull(),
    description: text(),
    sealed: text().notNull(),
    keyId: text().notNull(),
    createdBy: userReference(),
    createdAt: instant().notNull(),
    updatedBy: userReference(),
    updatedAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.slug] }),
    index('secrets_by_key').on(table.keyId, table.organizationId, table.slug),
  ],
)
