import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { schedules, scheduleStarts } from '#platform/ground/database/tables/schedules.ts'

export type StartRow = typeof scheduleStarts.$inferSelect

type StartPosition = readonly [startedAt: string, id: string]

/** Newest first. */
export const findStarts = (
  db: Database,
  scheduleId: string,
  { before, limit }: { before?: StartPosition | undefined; limit: number },
): Promise<StartRow[]> =>
  db
    .select()
    .from(scheduleStarts)
    .where(
      and(
        eq(scheduleStarts.scheduleId, scheduleId),
        before &&
          sql`(${scheduleStarts.startedAt}, ${scheduleStarts.id}) < (${before[0]}::timestamptz, ${before[1]}::uuid)`,
      ),
    )
    .orderBy(desc(scheduleStarts.startedAt), desc(scheduleStarts.id))
    .limit(limit)

/** The newest start of each schedule, by schedule. */
export async function findLastStarts(db: Database, scheduleIds: readonly string[]): Promise<Map<string, StartRow>> {
  if (scheduleIds.length === 0) return new Map()
  const rows = await db
    .selectDistinctOn([scheduleStarts.scheduleId])
    .from(scheduleStarts)
    .where(inArray(scheduleStarts.scheduleId, [...scheduleIds]))
    .orderBy(scheduleStarts.scheduleId, desc(scheduleStarts.startedAt), desc(scheduleStarts.id))
  return new Map(rows.map((row) => [row.scheduleId, row]))
}

export async function findStart(tx: Database, scheduleId: string, startId: string): Promise<StartRow | null> {
  const [row] = await tx
    .select()
    .from(scheduleStarts)
    .where(and(eq(scheduleStarts.scheduleId, scheduleId), eq(scheduleStarts.id, startId)))
  return row ?? null
}

export async function insertStart(tx: Database, start: typeof scheduleStarts.$inferInsert): Promise<StartRow> {
  const [row] = await tx.insert(scheduleStarts).values(start).returning()
  if (!row) throw new Error('The start of a schedule was not stored')
  return row
}

/** Deletes the oldest starts beyond the newest `kept`, but none of the last two months, whose costs count, and none that runs. */
export async function trimStarts(tx: Database, scheduleId: string, kept: number) {
  const newest = tx
    .select({ id: scheduleStarts.id })
    .from(scheduleStarts)
    .where(eq(scheduleStarts.scheduleId, scheduleId))
    .orderBy(desc(scheduleStarts.startedAt), desc(scheduleStarts.id))
    .limit(kept)
  await tx
    .delete(scheduleStarts)
    .where(
      and(
        eq(scheduleStarts.scheduleId, scheduleId),
        isNotNull(scheduleStarts.finishedAt),
        lt(scheduleStarts.startedAt, sql`now() - interval '2 months'`),
        sql`${scheduleStarts.id} not in ${newest}`,
      ),
    )
}

export type EndedStart = { id: string; scheduleId: string; organizationId: string }

/** Unfinished starts whose last run has ended, or whose request was deleted, oldest first. */
export const findEndedStarts = (db: Database): Promise<EndedStart[]> =>
  db
    .select({ id: scheduleStarts.id, scheduleId: schedules.id, organizationId: schedules.organizationId })
    .from(scheduleStarts)
    .innerJoin(schedules, eq(schedules.id, scheduleStarts.scheduleId))
    .where(
      and(
        isNull(scheduleStarts.finishedAt),
        sql`not exists (select 1 from ${runs} where ${runs.requestId} = ${scheduleStarts.requestId}
          and ${runs.status} in ('queued', 'waiting_for_ci', 'running'))`,
      ),
    )
    .orderBy(asc(scheduleStarts.startedAt), asc(scheduleStarts.id))

export async function updateStart(tx: Database, id: string, change: Partial<StartRow>) {
  await tx.update(scheduleStarts).set(change).where(eq(scheduleStarts.id, id))
}
