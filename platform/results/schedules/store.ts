import { and, asc, count, eq, sql } from 'drizzle-orm'

import { lockNamed } from '#platform/ground/database/lock-named.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { experiments, experimentVersions } from '#platform/ground/database/tables/experiments.ts'
import { memberships, organizations, users } from '#platform/ground/database/tables/identity.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { schedules, scheduleStarts } from '#platform/ground/database/tables/schedules.ts'
import { isOfThisMonth } from '#platform/ground/database/tables/starts-of-month.ts'

/** US dollars that runs of requests since the month began have cost, all attempts counted. */
const spentThisMonth = sql<number>`(
  select coalesce(sum(coalesce(${runs.costUsd}, 0) + ${runs.earlierCostUsd}), 0)
  from ${scheduleStarts}
  join ${runRequests} on ${runRequests.id} = ${scheduleStarts.requestId}
  join ${runs} on ${runs.requestId} = ${runRequests.id} and not ${runs.mock}
  where ${scheduleStarts.scheduleId} = ${schedules.id}
    and ${isOfThisMonth}
)::float8`

const newestOrdinal = sql<number>`(
  select coalesce(max(${experimentVersions.ordinal}), 0) from ${experimentVersions}
  where ${experimentVersions.organizationId} = ${schedules.organizationId}
    and ${experimentVersions.experimentId} = ${schedules.experimentId}
)::int`

const isUnfinished = sql`exists (
  select 1 from ${scheduleStarts}
  where ${scheduleStarts.scheduleId} = ${schedules.id} and ${scheduleStarts.finishedAt} is null
)`

const selectSchedules = (db: Database) =>
  db
    .select({
      schedule: schedules,
      experimentName: experiments.name,
      organization: { id: organizations.id, slug: organizations.slug, name: organizations.name },
      owner: { id: users.id, email: users.email, name: users.name },
      /** Null if the owner has left the organization. */
      ownerRole: memberships.role,
      spentThisMonthUsd: spentThisMonth,
      newestOrdinal,
      isUnfinished: sql<boolean>`${isUnfinished}`,
    })
    .from(schedules)
    .innerJoin(organizations, eq(organizations.id, schedules.organizationId))
    .innerJoin(
      experiments,
      and(eq(experiments.organizationId, schedules.organizationId), eq(experiments.id, schedules.experimentId)),
    )
    .innerJoin(users, eq(users.id, schedules.ownerId))
    .leftJoin(
      memberships,
      and(eq(memberships.organizationId, schedules.organizationId), eq(memberships.userId, schedules.ownerId)),
    )

export type ScheduleRow = Awaited<ReturnType<typeof selectSchedules>>[number]

type ListFilter = { organizationId: string; experimentId?: string | undefined }

/** By name, then by id. */
export const findSchedules = (
  db: Database,
  { organizationId, experimentId }: ListFilter,
  { after, limit }: { after?: readonly [name: string, id: string] | undefined; limit: number },
) =>
  selectSchedules(db)
    .where(
      and(
        eq(schedules.organizationId, organizationId),
        experimentId === undefined ? undefined : eq(schedules.experimentId, experimentId),
        after && sql`(${schedules.name}, ${schedules.id}) > (${after[0]}, ${after[1]}::uuid)`,
      ),
    )
    .orderBy(asc(schedules.name), asc(schedules.id))
    .limit(limit)

type ScheduleKey = { organizationId: string; scheduleId: string }

const isSchedule = ({ organizationId, scheduleId }: ScheduleKey) =>
  and(eq(schedules.organizationId, organizationId), eq(schedules.id, scheduleId))

export async function findSchedule(db: Database, key: ScheduleKey): Promise<ScheduleRow | null> {
  const [row] = await selectSchedules(db).where(isSchedule(key))
  return row ?? null
}

/**
 * The same, locked until the transaction ends, so that it neither changes nor starts meanwhile. It is read in a statement
 * of its own, because one that waits for a lock sees what was committed before it waited.
 */
export async function lockSchedule(tx: Database, key: ScheduleKey): Promise<ScheduleRow | null> {
  await tx.select({ id: schedules.id }).from(schedules).where(isSchedule(key)).for('update')
  return findSchedule(tx, key)
}

export type DueSchedule = { organizationId: string; scheduleId: string }

const isDue = sql`(${schedules.nextAt} <= clock_timestamp()
  or (${schedules.lastOrdinal} < ${newestOrdinal} and not ${isUnfinished}))`
const isRested = sql`(${schedules.restsUntil} is null or ${schedules.restsUntil} <= clock_timestamp())`

/** The schedules whose turn it is. One that starts after a push waits until its last start has finished. */
export function findDueSchedules(db: Database, except: readonly string[]): Promise<DueSchedule[]> {
  const ids = except.join()
  return db
    .select({ organizationId: schedules.organizationId, scheduleId: schedules.id })
    .from(schedules)
    .where(
      and(
        eq(schedules.isEnabled, true),
        isDue,
        isRested,
        sql`not ${schedules.id} = any(string_to_array(${ids}, ',')::uuid[])`,
      ),
    )
    .orderBy(asc(schedules.nextAt), asc(schedules.id))
}

/** Locks it if it is still its turn and no other server has locked it. */
export async function lockDueSchedule(tx: Database, key: DueSchedule): Promise<ScheduleRow | null> {
  const [due] = await tx
    .select({ id: schedules.id })
    .from(schedules)
    .where(and(isSchedule(key), eq(schedules.isEnabled, true), isDue))
    .for('update', { skipLocked: true })
  return due ? findSchedule(tx, key) : null
}

/** How long a schedule rests after a fault, so that the others have their turn. */
export const restsSeconds = 5 * 60

/** After a fault: it has its next turn in so many seconds. */
export async function postponeSchedule(db: Database, id: string, seconds: number) {
  await db
    .update(schedules)
    .set({ restsUntil: sql`clock_timestamp() + make_interval(secs => ${seconds})` })
    .where(eq(schedules.id, id))
}

/** Locks the organization's schedules, so that two people at once stay within the limit. */
export const lockOrganization = (tx: Database, organizationId: string) => lockNamed(tx, 'schedules', organizationId)

export async function countSchedules(tx: Database, organizationId: string): Promise<number> {
  const [row] = await tx
    .select({ schedules: count() })
    .from(schedules)
    .where(eq(schedules.organizationId, organizationId))
  return row?.schedules ?? 0
}

export async function findNewestOrdinal(tx: Database, key: { organizationId: string; experimentId: string }) {
  const [row] = await tx
    .select({ ordinal: sql<number>`coalesce(max(${experimentVersions.ordinal}), 0)::int` })
    .from(experimentVersions)
    .where(
      and(
        eq(experimentVersions.organizationId, key.organizationId),
        eq(experimentVersions.experimentId, key.experimentId),
      ),
    )
  return row?.ordinal ?? 0
}

/** The age of the newest version, in seconds. */
export async function findVersionAge(tx: Database, key: { organizationId: string; experimentId: string }) {
  const [row] = await tx
    .select({
      seconds: sql<number>`extract(epoch from clock_timestamp() - max(${experimentVersions.createdAt}))::float8`,
    })
    .from(experimentVersions)
    .where(
      and(
        eq(experimentVersions.organizationId, key.organizationId),
        eq(experimentVersions.experimentId, key.experimentId),
      ),
    )
  return row?.seconds ?? 0
}

/** False if the experiment has a schedule of that name. */
export async function insertSchedule(tx: Database, schedule: typeof schedules.$inferInsert): Promise<boolean> {
  return (await tx.insert(schedules).values(schedule).onConflictDoNothing().returning({ id: schedules.id })).length > 0
}

export async function isNameTaken(tx: Database, { schedule }: ScheduleRow, name: string): Promise<boolean> {
  const rows = await tx
    .select({ id: schedules.id })
    .from(schedules)
    .where(
      and(
        eq(schedules.organizationId, schedule.organizationId),
        eq(schedules.experimentId, schedule.experimentId),
        eq(schedules.name, name),
        sql`${schedules.id} <> ${schedule.id}`,
      ),
    )
  return rows.length > 0
}

export async function updateSchedule(tx: Database, id: string, change: Partial<typeof schedules.$inferInsert>) {
  await tx.update(schedules).set(change).where(eq(schedules.id, id))
}

export async function removeSchedule(tx: Database, id: string) {
  await tx.delete(schedules).where(eq(schedules.id, id))
}
