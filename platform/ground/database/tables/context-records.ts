import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import type { ContextFields, ContextKind } from '#contract/context-kinds.ts'
import type { ContextCause } from '#contract/context-records.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference, users } from './identity.ts'

/**
 * An organization's records about its products, use cases, personas and agents. `fields` has every field of the kind.
 */
export const contextRecords = pgTable(
  'context_records',
  {
    organizationId: organizationReference(),
    kind: text().$type<ContextKind>().notNull(),
    id: text().notNull(),
    revision: integer().notNull(),
    fields: jsonb().$type<ContextFields>().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.kind, table.id] }),
    index('context_records_by_change').on(table.organizationId, table.updatedAt, table.kind, table.id),
    index('context_records_by_name').on(
      table.organizationId,
      sql`(lower(${table.fields} ->> 'name') collate "C")`,
      table.kind,
      table.id,
    ),
  ],
)

/**
 * Every revision of a record, written in the transaction of the change. The newest equals the record. `changedBy` is null
 * for the operator, and in versions that existed before the history. `changedFields` is empty in the first version.
 */
export const contextVersions = pgTable(
  'context_versions',
  {
    organizationId: uuid().notNull(),
    kind: text().$type<ContextKind>().notNull(),
    recordId: text().notNull(),
    revision: integer().notNull(),
    fields: jsonb().$type<ContextFields>().notNull(),
    changedFields: jsonb().$type<string[]>().notNull(),
    cause: text().$type<ContextCause>().notNull(),
    changedBy: uuid().references(() => users.id),
    suggestionId: uuid(),
    restoredRevision: integer(),
    changedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.kind, table.recordId, table.revision] }),
    foreignKey({
      name: 'context_versions_record',
      columns: [table.organizationId, table.kind, table.recordId],
      foreignColumns: [contextRecords.organizationId, contextRecords.kind, contextRecords.id],
    }).onDelete('cascade'),
  ],
)
