import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import type { ContextFields, ContextKind } from '#contract/context-kinds.ts'
import { instant } from '#platform/database/columns.ts'
import { organizations } from './identity.ts'

/**
 * An organization's records about its products, use cases, personas and agents. `fields` has every field of the kind.
 */
export const contextRecords = pgTable(
  'context_records',
  {
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    kind: text().$type<ContextKind>().notNull(),
    id: text().notNull(),
    revision: integer().notNull(),
    fields: jsonb().$type<ContextFields>().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.kind, table.id] })],
)
