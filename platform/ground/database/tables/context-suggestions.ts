import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import type { ContextFields, ContextKind } from '#contract/context-kinds.ts'
import type { Evidence, SuggestionStatus } from '#contract/context-suggestions.ts'
import { contextRecords } from './context-records.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizations, userReference, users } from './identity.ts'

/** Suggestions are disabled without a row. */
export const contextSettings = pgTable('context_settings', {
  organizationId: uuid()
    .primaryKey()
    .references(() => organizations.id),
  suggestionsEnabled: boolean().notNull(),
})

/**
 * `base` has the values of the proposed fields in `baseRevision`. `version` increases with every change of `status`.
 */
export const contextSuggestions = pgTable(
  'context_suggestions',
  {
    id: uuid().primaryKey(),
    organizationId: uuid().notNull(),
    authorId: userReference(),
    kind: text().$type<ContextKind>().notNull(),
    targetId: text().notNull(),
    baseRevision: integer().notNull(),
    base: jsonb().$type<ContextFields>().notNull(),
    proposed: jsonb().$type<ContextFields>().notNull(),
    reason: text().notNull(),
    evidence: jsonb().$type<Evidence[]>().notNull(),
    idempotencyKey: uuid().notNull(),
    replacesId: uuid(),
    status: text().$type<SuggestionStatus>().notNull(),
    version: integer().notNull(),
    decisionNote: text(),
    /** Null while nobody has decided, and for decisions of the operator. */
    decidedBy: uuid().references(() => users.id),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    foreignKey({
      name: 'context_suggestions_record',
      columns: [table.organizationId, table.kind, table.targetId],
      foreignColumns: [contextRecords.organizationId, contextRecords.kind, contextRecords.id],
    }),
    unique('context_suggestions_sent_once').on(table.organizationId, table.authorId, table.idempotencyKey),
    index('context_suggestions_of_author').on(table.organizationId, table.authorId, table.createdAt, table.id),
    index('context_suggestions_by_creation').on(table.organizationId, table.createdAt, table.id),
    index('context_suggestions_of_record').on(
      table.organizationId,
      table.kind,
      table.targetId,
      table.createdAt,
      table.id,
    ),
    index('context_suggestions_pending')
      .on(table.organizationId, table.createdAt, table.id)
      .where(sql`${table.status} = 'pending'`),
  ],
)
