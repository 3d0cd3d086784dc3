import { and, asc, count, desc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm'

import type { OutcomeCounts } from '#contract/outcomes.ts'
import type { RunStatus } from '#contract/run-status.ts'
import { isUuid } from '#platform/database/is-uuid.ts'
import type { Database } from '#platform/database/open-database.ts'
import { experiments } from '#platform/database/tables/experiments.ts'
import { users } from '#platform/database/tables/identity.ts'
import { changedSince, namesChangedSince } from '#platform/database/changed-since.ts'
import { runRequests, runs, runStatusChanges } from '#platform/database/tables/runs.ts'

export type RunFilter = {
  organizationId: string
  compositeId?: string | undefined
  experimentId?: string | undefined
  statuses?: RunStatus[] | undefined
  agents?: string[] | undefined
  models?: string[] | undefined
  products?: string[] | undefined
  environments?: string[] | undefined
  prompts?: string[] | undefined
  variants?: string[] | undefined
  triggeredBy?: string[] | undefined
  updatedSince?: string | undefined
  versionScope?: string | undefined
  testAwareOnly?: boolean | undefined
  runRequestId?: string | undefined
  timedOutOnly?: boolean | undefined
  planLimitedOnly?: boolean | undefined
}

export type RunPosition = { createdAt: string; runId: string }

const among = (column: Parameters<typeof inArray>[0], values: string[] | undefined) =>
  values?.length ? inArray(column, values) : undefined

/** A version scope is a fingerprint, an ordinal (`v3` or `3`), `latest`, or `all`. */
function inVersionScope(scope: string | undefined): SQL | undefined {
  if (scope === undefined || scope === '' || scope === 'all') return undefined
  if (scope === 'latest') return eq(runs.fingerprint, experiments.latestFingerprint)
  const [, ordinal] = /^v?(\d{1,6})$/.exec(scope) ?? []
  return ordinal ? eq(runs.ordinal, Number(ordinal)) : eq(runs.fingerprint, scope)
}

/** A run is plan-limited if the plan's cap ended it, not its own limit. */
const isPlanLimited = sql`${runs.timeLimitHit} and ${runs.timePlanCapSeconds} > 0
  and ${runs.timeBudgetSeconds} >= ${runs.timePlanCapSeconds}`

/** Conditions that a run meets from its submission on, or never meets. */
const lastingConditions = (filter: RunFilter): (SQL | undefined)[] => [
  eq(runs.organizationId, filter.organizationId),
  filter.compositeId === undefined ? undefined : eq(runs.compositeId, filter.compositeId),
  filter.experimentId === undefined ? undefined : eq(runs.experimentId, filter.experimentId),
  among(runs.agent, filter.agents),
  among(runs.model, filter.models),
  among(runs.product, filter.products),
  among(runs.environment, filter.environments),
  among(runs.prompt, filter.prompts),
  among(runs.variantId, filter.variants),
  among(sql`${runs.triggeredBy}::text`, filter.triggeredBy),
  filter.runRequestId === undefined ? undefined : isUuid(runs.requestId, filter.runRequestId),
  inVersionScope(filter.versionScope),
]

/** Conditions that a run can start or stop meeting later. */
const passingConditions = (filter: RunFilter): (SQL | undefined)[] => [
  filter.updatedSince === undefined ? undefined : gte(runs.statusUpdatedAt, sql`${filter.updatedSince}::timestamptz`),
  filter.testAwareOnly ? eq(runs.testAware, true) : undefined,
  filter.timedOutOnly ? eq(runs.timeLimitHit, true) : undefined,
  filter.planLimitedOnly ? isPlanLimited : undefined,
]

const conditionsOf = (filter: RunFilter) => [...lastingConditions(filter), ...passingConditions(filter)]

const isAfter = (position: RunPosition) =>
  sql`(${runs.createdAt}, ${runs.id}) < (${position.createdAt}::timestamptz, ${position.runId}::uuid)`

const withNames = (db: Database, matches = sql<boolean>`true`) =>
  db
    .select({
      run: runs,
      experimentName: experiments.name,
      triggeredBy: { id: users.id, email: users.email, name: users.name },
      matches,
    })
    .from(runs)
    .innerJoin(
      experiments,
      and(eq(experiments.organizationId, runs.organizationId), eq(experiments.id, runs.experimentId)),
    )
    .innerJoin(users, eq(users.id, runs.triggeredBy))

/** Finds runs, most recently submitted first. */
export const findRuns = (db: Database, filter: RunFilter, page: { after?: RunPosition | undefined; limit: number }) =>
  withNames(db)
    .where(and(...conditionsOf(filter), among(runs.status, filter.statuses), page.after && isAfter(page.after)))
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(page.limit)

/**
 * Finds the runs of a page that are new or changed since a snapshot, and those that may have left the page since
 * (`matches` is false).
 */
export const findChangedRuns = (
  db: Database,
  filter: RunFilter,
  page: { since: string; after?: RunPosition | undefined; limit: number },
) => {
  const matches = and(...passingConditions(filter), among(runs.status, filter.statuses)) ?? sql`true`
  return withNames(db, sql<boolean>`(${matches}) is true`)
    .where(
      and(
        ...lastingConditions(filter),
        changedSince(sql`${runs.changedIn}`, page.since),
        page.after && isAfter(page.after),
      ),
    )
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(page.limit)
}

export type ChangedRun = Awaited<ReturnType<typeof findChangedRuns>>[number]

/** Whether a name shown in the rows of runs, or an experiment's latest version, changed since a snapshot. */
export async function haveNamesChanged(db: Database, organizationId: string, since: string) {
  const { rows } = (await db.execute(
    sql`select ${namesChangedSince(organizationId, since)} as changed`,
  )) as unknown as { rows: { changed: boolean }[] }
  return rows[0]?.changed ?? true
}

export type RunRow = Awaited<ReturnType<typeof findRuns>>[number]

/** Counts the runs by status, with every filter except the status filter. */
export const countRunsByStatus = (db: Database, filter: RunFilter) =>
  db
    .select({ status: runs.status, runs: count() })
    .from(runs)
    .innerJoin(
      experiments,
      and(eq(experiments.organizationId, runs.organizationId), eq(experiments.id, runs.experimentId)),
    )
    .where(and(...conditionsOf(filter)))
    .groupBy(runs.status)

export const findStatusHistory = (db: Database, runId: string) =>
  db.select().from(runStatusChanges).where(eq(runStatusChanges.runId, runId)).orderBy(asc(runStatusChanges.seq))

/** Returns null if the organization has no such request. The id may be any text. */
export async function findRequest(db: Database, organizationId: string, id: string) {
  const [row] = await db
    .select({
      request: runRequests,
      experimentName: experiments.name,
      triggeredBy: { id: users.id, email: users.email, name: users.name },
    })
    .from(runRequests)
    .innerJoin(
      experiments,
      and(eq(experiments.organizationId, runRequests.organizationId), eq(experiments.id, runRequests.experimentId)),
    )
    .innerJoin(users, eq(users.id, runRequests.triggeredBy))
    .where(and(eq(runRequests.organizationId, organizationId), isUuid(runRequests.id, id)))
  return row ?? null
}

export type RequestRow = NonNullable<Awaited<ReturnType<typeof findRequest>>>

export type RequestTotals = {
  runCount: number
  outcomes: OutcomeCounts
  timedOutCount: number
  planLimitedCount: number
  testAwareCount: number
  statusUpdatedAt: string | null
}

/** Sums up the runs of a request. */
export async function sumRequest(db: Database, requestId: string): Promise<RequestTotals> {
  const [totals] = await db
    .select({
      runCount: count(),
      outcomes: sql<OutcomeCounts>`jsonb_build_object(
        'passed', coalesce(sum(${runs.testsPassed}), 0), 'failed', coalesce(sum(${runs.testsFailed}), 0),
        'unresolved', coalesce(sum(${runs.testsUnresolved}), 0), 'errored', coalesce(sum(${runs.testsErrored}), 0),
        'skipped', coalesce(sum(${runs.testsSkipped}), 0))`,
      timedOutCount: sql<number>`(count(*) filter (where ${runs.timeLimitHit}))::int`,
      planLimitedCount: sql<number>`(count(*) filter (where ${isPlanLimited}))::int`,
      testAwareCount: sql<number>`(count(*) filter (where ${runs.testAware}))::int`,
      statusUpdatedAt: sql<string | null>`max(${runs.statusUpdatedAt})`.mapWith(runs.statusUpdatedAt),
    })
    .from(runs)
    .where(eq(runs.requestId, requestId))
  if (!totals) throw new Error('an aggregate returned no row')
  return totals
}

export async function insertRequest(tx: Database, request: typeof runRequests.$inferInsert) {
  await tx.insert(runRequests).values(request)
}

type NewRun = Omit<typeof runs.$inferInsert, 'createdAt' | 'statusUpdatedAt'> & { now: string }

const chunkSize = 500

/** Inserts runs with their first status change, a few hundred rows per statement. */
export async function insertRuns(tx: Database, newRuns: NewRun[]) {
  for (let start = 0; start < newRuns.length; start += chunkSize) {
    const chunk = newRuns.slice(start, start + chunkSize)
    await tx.insert(runs).values(chunk.map(({ now, ...run }) => ({ ...run, createdAt: now, statusUpdatedAt: now })))
    await tx
      .insert(runStatusChanges)
      .values(chunk.map(({ id, status, now }) => ({ runId: id, seq: 1, status, attempt: 0, at: now })))
  }
}
