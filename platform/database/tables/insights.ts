import { boolean, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import type { DataSchema, Presentation, Provenance } from '#contract/insight-fields.ts'
import { instant } from './columns.ts'
import { organizations, users } from './identity.ts'

/** A saved SQL query. `ownerId` is who made it, whoever overwrites it; id, slug and owner never change. */
export const insights = pgTable(
  'insights',
  {
    id: text().primaryKey(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    slug: text().notNull(),
    heading: text().notNull(),
    sql: text().notNull(),
    description: text(),
    labels: jsonb().$type<string[]>().notNull(),
    provenance: text().$type<Provenance['kind']>().notNull(),
    /** Of provenance `run` too. */
    experimentId: text(),
    /** The composite id. */
    runId: text(),
    dataSchema: text().$type<DataSchema>().notNull(),
    includeTestAware: boolean().notNull(),
    presentation: jsonb().$type<Presentation>(),
    ownerId: uuid()
      .notNull()
      .references(() => users.id),
    updatedBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    unique('insights_slug').on(table.organizationId, table.slug),
    index('insights_newest').on(table.organizationId, table.createdAt, table.id),
  ],
)
