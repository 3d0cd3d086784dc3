import { and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm'

import { likePattern } from '#platform/ground/database/like-pattern.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { auditEvents, type AuditRow } from '#platform/ground/database/tables/audit.ts'

export type TrailFilter = {
  organizationId: string
  events?: readonly AuditRow['event'][] | undefined
  outcome?: AuditRow['outcome'] | undefined
  /** Text in the name of the actor, or in the subject. */
  search?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

type Position = readonly [at: string, id: string]

function matches({ organizationId, events, outcome, search, since, until }: TrailFilter) {
  const pattern = search === undefined ? undefined : likePattern(search)
  return and(
    eq(auditEvents.organizationId, organizationId),
    events && inArray(auditEvents.event, [...events]),
    outcome && eq(auditEvents.outcome, outcome),
    pattern === undefined
      ? undefined
      : // The subject of a key is its id; people know it by its name.
        sql`(${auditEvents.actorName} ilike ${pattern} or ${auditEvents.subject} ilike ${pattern}
          or ${auditEvents.details} ->> 'name' ilike ${pattern})`,
    since === undefined ? undefined : gte(auditEvents.at, since),
    until === undefined ? undefined : lt(auditEvents.at, until),
  )
}

/** Newest first. */
export const findTrail = (
  db: Database,
  filter: TrailFilter,
  page: { after?: Position | undefined; limit: number },
): Promise<AuditRow[]> =>
  db
    .select()
    .from(auditEvents)
    .where(
      and(
        matches(filter),
        page.after &&
          sql`(${auditEvents.at}, ${auditEvents.id}) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`,
      ),
    )
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(page.limit)

export async function findTrailIds(db: Database, filter: TrailFilter): Promise<string[]> {
  const rows = await db
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(matches(filter))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
  return rows.map(({ id }) => id)
}

export const findTrailById = (db: Database, ids: readonly string[]): Promise<AuditRow[]> =>
  db
    .select()
    .from(auditEvents)
    .where(inArray(auditEvents.id, [...ids]))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
