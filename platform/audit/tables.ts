import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { instant } from '#platform/database/columns.ts'
import type { AuditEvent, AuditEventName, Doer } from './events.ts'

/** A trigger refuses to change or delete rows. There are no foreign keys: the trail outlives the rows it names. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: uuid().primaryKey(),
    at: instant()
      .notNull()
      .default(sql`now()`),
    organizationId: uuid(),
    actorKind: text().$type<Doer['kind']>().notNull(),
    actorId: text(),
    actorName: text(),
    event: text().$type<AuditEventName>().notNull(),
    subject: text(),
    outcome: text().$type<'accepted' | 'refused'>().notNull(),
    requestId: text(),
    address: text(),
    details: jsonb().$type<NonNullable<AuditEvent['details']>>().notNull(),
  },
  (table) => [index().on(table.organizationId, table.at, table.id), index().on(table.at, table.id)],
)
