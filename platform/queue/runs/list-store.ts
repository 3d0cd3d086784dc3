import { and, count, desc, eq, inArray, isNotNull, isNull, type SQL, sql, Subquery } from 'drizzle-orm'
import { z } from 'zod'

import type { SolvedCounts } from '#contract/outcomes.ts'
import { isTerminal, type RunStatus } from '#contract/run-status.ts'
import { changedSince, namesChangedSince } from '#platform/ground/database/changed-since.ts'
import { giveWay } from '#platform/ground/database/give-way.ts'
import { inSnapshot } from '#platform/ground/database/in-snapshot.ts'
import { type Database, isEmbedded } from '#platform/ground/database/open-database.ts'
import { queryRows } from '#platform/ground/database/query-rows.ts'
import { experiments, versionCounts } from '#platform/ground/database/tables/experiments.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { computeOfRun } from '#platform/ground/database/tables/run-compute.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { isSolved } from '#platform/ground/database/tables/solved-runs.ts'
import { conditionsOf, hasStatus, lastingConditions, passingConditions, type RunFilter } from './filter-store.ts'
import {
  newestFirst,
  type RunPosition,
  type RunSort,
  type Section,
  sectionsAfter,
  sectionsBySubmitter,
} from './order-store.ts'
import { listedColumns } from './listed-run-store.ts'
import { unpackIds } from './packed-ids.ts'

const isItsExperiment = and(eq(experiments.organizationId, runs.organizationId), eq(experiments.id, runs.experimentId))
const isItsSubmitter = eq(users.id, runs.triggeredBy)

const names = {
  experimentName: experiments.name,
  triggeredBy: { id: users.id, email: users.email, name: users.name },
}

/** The rows of `from`, all runs or some of them. */
const listed = (db: Database, from: typeof runs | Subquery = runs) =>
  db
    .select({ run: listedColumns, computeUsd: computeOfRun, ...names })
    .from(from as typeof runs)
    .innerJoin(experiments, isItsExperiment)
    .innerJoin(users, isItsSubmitter)

export const sectionsOf = async (db: Database, { organizationId }: RunFilter, sort: RunSort, after?: RunPosition) =>
  sort.field === 'triggeredBy' ? sectionsBySubmitter(db, organizationId, sort, after) : sectionsAfter(sort, after)

type Page = { after?: RunPosition | undefined; limit: number; sort?: RunSort }

/** Finds runs in the order of `sort`, by default the most recently submitted first. */
export async function findRuns(db: Database, filter: RunFilter, { after, limit, sort = newestFirst }: Page) {
  const rows: RunRow[] = []
  for (const section of await sectionsOf(db, filter, sort, after)) {
    if (rows.length === limit) break
    rows.push(...(await findFirst(db, filter, section, limit - rows.length)))
  }
  return rows
}

/** Whether it matches only runs that have not ended, which are few. */
const namesOnlyOpen = ({ statuses = [] }: RunFilter) => statuses.length > 0 && !statuses.some(isTerminal)

/** The first runs of a section. */
export function findFirst(db: Database, filter: RunFilter, { where, orderBy, index }: Section, limit: number) {
  const conditions = [...conditionsOf(filter), hasStatus(filter), where]
  if (index === 'whole' || namesOnlyOpen(filter))
    return listed(db)
      .where(and(...conditions))
      .orderBy(...orderBy)
      .limit(limit)
  // Only the latest version is a fact of the experiment.
  const experiment = filter.versionScope === 'latest' ? sql`inner join ${experiments} on ${isItsExperiment}` : sql``
  const firstThat = (hasEnded: SQL) => sql`(select ${runs}.* from ${runs} ${experiment}
    where ${and(...conditions, hasEnded)} order by ${sql.join(orderBy, sql`, `)} limit ${limit})`
  // The index returns the ended runs in order. The others are few, and sorted each time.
  const both = sql`${firstThat(isNotNull(runs.endedAt))} union all ${firstThat(isNull(runs.endedAt))}`
  return listed(db, new Subquery(both, listedColumns, 'runs'))
    .orderBy(...orderBy)
    .limit(limit)
}

/** The ids of up to `limit` runs that match, in no order. */
export async function findSomeRunIds(db: Database, filter: RunFilter, limit: number) {
  const rows = await db
    .select({ id: runs.id })
    .from(runs)
    .innerJoin(experiments, isItsExperiment)
    .innerJoin(users, isItsSubmitter)
    .where(and(...conditionsOf(filter), hasStatus(filter)))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** So many ids take the embedded database some milliseconds. */
const idsTogether = 1000

/** The ids of all runs that match, in the order of `sort`: 16 bytes each, because an organization can have millions. */
export async function findRunIds(db: Database, filter: RunFilter, sort: RunSort, together = idsTogether) {
  const parts: Uint8Array[] = []
  if (sort.field === 'createdAt' && isEmbedded(db)) {
    // Nothing changes the place of a run in this order, so it needs no snapshot.
    for (let after: RunPosition | undefined; ;) {
      const from = after
      const [section] = sectionsAfter(sort, from)
      const page = section && (await giveWay(db, () => findIds(db, filter, section, together)))
      if (!page?.ids) break
      parts.push(page.ids)
      if (page.ids.length < 16 * together) break
      after = {
        value: null,
        createdAt: page.lastCreatedAt ?? '',
        runId: unpackIds(Buffer.from(page.ids)).slice(together - 1, together)[0] ?? '',
      }
    }
    return unpackIds(Buffer.concat(parts))
  }
  const readSections = async (tx: Database) => {
    for (const section of await sectionsOf(tx, filter, sort)) {
      const page = await findIds(tx, filter, section)
      if (page?.ids) parts.push(page.ids)
    }
  }
  // In one snapshot, so that a run that gains a sort value meanwhile is in exactly one section.
  await inSnapshot(db, readSections)
  return unpackIds(Buffer.concat(parts))
}

/** The first ids of a section, or all of them, and when the last of them was submitted. */
async function findIds(db: Database, filter: RunFilter, { where, orderBy }: Section, limit?: number) {
  const all = db
    .select({ id: runs.id, createdAt: runs.createdAt })
    .from(runs)
    .innerJoin(experiments, isItsExperiment)
    .innerJoin(users, isItsSubmitter)
    .where(and(...conditionsOf(filter), hasStatus(filter), where))
    .orderBy(...orderBy)
    .$dynamic()
  const ordered = (limit === undefined ? all : all.limit(limit)).as('ordered')
  const [row] = await db
    .select({
      ids: sql<Uint8Array | null>`string_agg(uuid_send(${ordered.id}), ''::bytea)`,
      lastCreatedAt:
        limit === undefined
          ? sql<null>`null`
          : sql<string | null>`(array_agg(${ordered.createdAt}::text))[${limit}::int]`,
    })
    .from(ordered)
  return row
}

export const findRunsById = (db: Database, ids: readonly string[]) => listed(db).where(inArray(runs.id, [...ids]))

export type ChangedRun = Awaited<ReturnType<typeof findChangedRuns>>[number]

export type RunRow = Awaited<ReturnType<typeof listed>>[number]

/**
 * Finds the runs of a page that are new or changed since a snapshot, and those that may have left the page since
 * (`matches` is false). The page is in the default order.
 */
export const findChangedRuns = (
  db: Database,
  filter: RunFilter,
  page: { since: string; after?: RunPosition | undefined; limit: number },
) => {
  const matches = and(...passingConditions(filter), hasStatus(filter)) ?? sql`true`
  return db
    .select({ run: listedColumns, computeUsd: computeOfRun, ...names, matches: sql<boolean>`(${matches}) is true` })
    .from(runs)
    .innerJoin(experiments, isItsExperiment)
    .innerJoin(users, isItsSubmitter)
    .where(
      and(
        ...lastingConditions(filter),
        changedSince(sql`${runs.changedIn}`, page.since),
        ...sectionsAfter(newestFirst, page.after).map(({ where }) => where),
      ),
    )
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(page.limit)
}

/** Whether a name shown in the rows of runs, or an experiment's latest version, changed since a snapshot. */
export async function haveNamesChanged(db: Database, organizationId: string, since: string) {
  const [found] = await queryRows(
    db,
    sql`select ${namesChangedSince(organizationId, since)} as changed`,
    z.object({ changed: z.boolean() }),
  )
  return found?.changed ?? true
}

/** The snapshot of a transaction, and whether no run, name or latest version has changed since an earlier one. */
export async function checkRuns(tx: Database, organizationId: string, since: string | undefined) {
  const runChanged = (snapshot: string) => sql`exists (select 1 from ${runs}
    where ${runs.organizationId} = ${organizationId} and ${changedSince(sql`${runs.changedIn}`, snapshot)})`
  const hasChanged =
    since === undefined ? sql`true` : sql`(${runChanged(since)} or ${namesChangedSince(organizationId, since)})`
  const [found] = await queryRows(
    tx,
    sql`select pg_current_snapshot()::text as snapshot, not ${hasChanged} as "isUnchanged"`,
    z.object({ snapshot: z.string(), isUnchanged: z.boolean() }),
  )
  if (!found) throw new Error('the database returned no snapshot')
  return found
}

/** In the collation of an index that has everything the count of a whole organization needs. */
const statusOfIndex = sql<RunStatus>`(${runs.status} collate "C")`

/** What the counts of versions know of the runs they count, besides the status. */
const knownOfVersions = new Set<string>(['organizationId', 'experimentId', 'statuses'])

const isOff = (value: unknown) =>
  value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0)

const isWhole = ({ versionScope = 'all', ...filter }: RunFilter) =>
  (versionScope === '' || versionScope === 'all') &&
  Object.entries(filter).every(([name, value]) => knownOfVersions.has(name) || isOff(value))

/** Reads no run, so that the lists that most people watch cost the same in every year. */
const countOfVersions = (db: Database, { organizationId, experimentId }: RunFilter) =>
  db
    .select({ status: versionCounts.status, runs: sql<number>`sum(${versionCounts.runs})::int` })
    .from(versionCounts)
    .where(
      and(
        eq(versionCounts.organizationId, organizationId),
        experimentId === undefined ? undefined : eq(versionCounts.experimentId, experimentId),
      ),
    )
    .groupBy(versionCounts.status)

/** Counts the runs by status, with every filter except the status filter. */
export function countRunsByStatus(db: Database, filter: RunFilter): Promise<{ status: RunStatus; runs: number }[]> {
  if (isWhole(filter)) return countOfVersions(db, filter).execute()
  const counts = db.select({ status: statusOfIndex, runs: count() }).from(runs)
  // Only this scope reads the experiment. The join would triple the time of a count.
  const counted = filter.versionScope === 'latest' ? counts.innerJoin(experiments, isItsExperiment) : counts
  return counted
    .where(and(...conditionsOf(filter)))
    .groupBy(statusOfIndex)
    .execute()
}

/** Of the runs that match, status included: how many count, and how many of them are solved. */
export async function countSolvedRuns(db: Database, filter: RunFilter): Promise<SolvedCounts> {
  const counts = db.select({ isSolved, runs: count() }).from(runs)
  const counted = filter.versionScope === 'latest' ? counts.innerJoin(experiments, isItsExperiment) : counts
  // Grouped, because two filtered counts would compute for every run twice whether it is solved.
  const groups = await counted.where(and(...conditionsOf(filter), hasStatus(filter))).groupBy(isSolved)
  const runsThat = (are: boolean) => groups.find((group) => group.isSolved === are)?.runs ?? 0
  return { solved: runsThat(true), runs: runsThat(true) + runsThat(false) }
}
