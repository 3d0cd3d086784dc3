import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import type { AuditActorKind, AuditDetails, AuditEventName } from '#contract/audit.ts'
import { instant } from '#platform/ground/database/columns.ts'

/** A trigger refuses changes and deletes. There are no foreign keys, because the trail outlives the rows it names. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: uuid().primaryKey(),
    at: instant()
      .notNull()
      .default(sql`now()`),
    organizationId: uuid(),
    actorKind: text().$type<AuditActorKind>().notNull(),
    actorId: text(),
    actorName: text(),
    event: text().$type<AuditEventName>().notNull(),
    subject: text(),
    outcome: text().$type<'accepted' | 'refused'>().notNull(),
    requestId: text(),
    address: text(),
    details: jsonb().$type<AuditDetails>().notNull(),
  },
  (table) => [index().on(table.organizationId, table.at, table.id), index().on(table.at, table.id)],
)

export type AuditRow = typeof auditEvents.$inferSelect
