import { boolean, index, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'

import type { DataSchema, Presentation, Provenance } from '#contract/insight-fields.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference, userReference } from './identity.ts'

/**
 * A saved SQL query. `ownerId` is the person who created it. Id, slug and owner never change, even if it is
 * overwritten.
 */
export const insights = pgTable(
  'insights',
  {
    id: text().primaryKey(),
    organizationId: organizationReference(),
    slug: text().notNull(),
    heading: text().notNull(),
    sql: text().notNull(),
    description: text(),
    labels: jsonb().$type<string[]>().notNull(),
    provenance: text().$type<Provenance['kind']>().notNull(),
    /** Also set for provenance `run`. */
    experimentId: text(),
    /** The composite run id. */
    runId: text(),
    dataSchema: text().$type<DataSchema>().notNull(),
    includeTestAware: boolean().notNull(),
    presentation: jsonb().$type<Presentation>(),
    ownerId: userReference(),
    updatedBy: userReference(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    unique('insights_slug').on(table.organizationId, table.slug),
    index('insights_newest').on(table.organizationId, table.createdAt, table.id),
  ],
)
