import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import type { Role } from '#contract/identity.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { apiKeys, organizationReference, users } from './identity.ts'

export const invitations = pgTable(
  'invitations',
  {
    id: uuid().primaryKey(),
    organizationId: organizationReference(),
    email: text().notNull(),
    role: text().$type<Role>().notNull(),
    hash: text().notNull().unique(),
    /** The hash of the token that only the invited address got, by email. Null if nothing was emailed. */
    emailedHash: text().unique(),
    /** The person who invited, or who created the organization key that did. Null for the operator. */
    createdBy: uuid().references(() => users.id),
    createdWith: uuid().references(() => apiKeys.id),
    createdAt: instant()
      .notNull()
      .default(sql`now()`),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    usedBy: uuid().references(() => users.id),
    revokedAt: instant(),
  },
  (table) => [index().on(table.organizationId)],
)
