import { boolean, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import type { Presentation, Provenance } from '#contract/insight-fields.ts'
import { instant } from '#platform/database/columns.ts'
import { organizations, users } from './identity.ts'
import { insights } from './insights.ts'

/**
 * The public view of an insight, frozen at the first share and deleted with its insight. The token is derived from `id`
 * with the installation's key `keyId` and not stored; `tokenHash`, its SHA-256, finds the row.
 */
export const publications = pgTable('publications', {
  id: uuid().primaryKey(),
  insightId: text()
    .notNull()
    .unique()
    .references(() => insights.id, { onDelete: 'cascade' }),
  organizationId: uuid()
    .notNull()
    .references(() => organizations.id),
  tokenHash: text().notNull().unique(),
  keyId: text().notNull(),
  heading: text().notNull(),
  sql: text().notNull(),
  description: text(),
  presentation: jsonb().$type<Presentation>(),
  provenance: text().$type<Provenance['kind']>().notNull(),
  experimentId: text(),
  runId: text(),
  includeTestAware: boolean().notNull(),
  publishedBy: uuid()
    .notNull()
    .references(() => users.id),
  publishedAt: instant().notNull(),
})
