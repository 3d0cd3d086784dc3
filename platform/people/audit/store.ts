import { and, desc, eq, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { auditEvents, type AuditRow } from '#platform/ground/database/tables/audit.ts'

export const insertEvents = (db: Database, events: (typeof auditEvents.$inferInsert)[]): Promise<AuditRow[]> =>
  db.insert(auditEvents).values(events).returning()

type Page = {
  /** Undefined for the events of all organizations and of the installation. */
  organizationId?: string | undefined
  /** Only events before this one. */
  before?: string | undefined
  limit: number
}

/** Newest first. */
export function findEvents(db: Database, { organizationId, before, limit }: Page): Promise<AuditRow[]> {
  const { id, at } = auditEvents
  return db
    .select()
    .from(auditEvents)
    .where(
      and(
        organizationId === undefined ? undefined : eq(auditEvents.organizationId, organizationId),
        before === undefined
          ? undefined
          : sql`(${at}, ${id}) < (select last.at, last.id from ${auditEvents} last where last.id = ${before})`,
      ),
    )
    .orderBy(desc(at), desc(id))
    .limit(limit)
}
