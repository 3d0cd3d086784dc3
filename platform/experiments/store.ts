import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import type { VersionFile } from '#contract/experiments.ts'
import type { LeftOutRuns } from '#contract/infrastructure.ts'
import type { OutcomeCounts, SolvedCounts } from '#contract/outcomes.ts'
import type { Axes } from '#contract/variants.ts'
import { toInstant } from '#platform/database/instants.ts'
import { likePattern } from '#platform/database/like-pattern.ts'
import { lockNamed } from '#platform/database/lock-named.ts'
import type { Database } from '#platform/database/open-database.ts'
import { users } from '#platform/database/tables/identity.ts'
import { runs } from '#platform/database/tables/runs.ts'
import { leftOutOf, solvedOf } from '#platform/database/tables/solved-runs.ts'
import type { ExperimentKey, VersionKey } from './experiment-key.ts'
import { experiments, experimentVersions, stagedBlobs } from '#platform/database/tables/experiments.ts'

export async function stampRows(tx: Database, organizationId: string, ids: readonly string[]) {
  await tx
    .update(experiments)
    .set({ changedIn: sql`pg_current_xact_id()` })
    .where(and(eq(experiments.organizationId, organizationId), inArray(experiments.id, [...ids])))
}

type ExperimentPosition = { createdAt: string; id: string }

export type ExperimentFilter = {
  organizationId: string
  id?: string | undefined
  search?: string | undefined
  owner?: string | undefined
  axes: Partial<Record<keyof Axes, string[] | undefined>>
  updatedSince?: string | undefined
  after?: ExperimentPosition | undefined
  limit: number
}

const holdsAny = (axis: string, ids: readonly string[]) =>
  sql`jsonb_exists_any(${experiments.axes} -> ${axis}, array[${sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  )}]::text[])`

const r = alias(runs, 'r')

const ofExperiment = sql`${r.organizationId} = ${experiments.organizationId} and ${r.experimentId} = ${experiments.id}`

/** The last pushed version that has finished runs; null if there is none. */
const latestResultsFingerprint = sql<string | null>`(
    select v.fingerprint from ${experimentVersions} v
    where v.organization_id = ${experiments.organizationId} and v.experiment_id = ${experiments.id} and exists (
      select 1 from ${runs} f where f.organization_id = v.organization_id and f.experiment_id = v.experiment_id
        and f.fingerprint = v.fingerprint and f.status in ('completed', 'errored', 'canceled'))
    order by v.pushed_at desc, v.ordinal desc limit 1)`

/** The finished runs of that version. */
const latestResults = sql`${ofExperiment} and ${r.status} in ('completed', 'errored', 'canceled')
    and ${r.fingerprint} = ${latestResultsFingerprint}`

/** How many of the latest results infrastructure ended, by cause. */
const latestLeftOut = sql<LeftOutRuns>`(
  select coalesce(jsonb_object_agg(cause, amount), '{}') from (
    select ${r.infrastructureCause} as cause, count(*) as amount
    from ${runs} r where ${latestResults} and ${leftOutOf(r)} group by ${r.infrastructureCause}) left_out)`

/** The test counts of the latest results; null when there are none. */
const latestOutcomes = sql<OutcomeCounts | null>`(
  select case when count(*) = 0 then null else jsonb_build_object(
    'passed', sum(${r.testsPassed}), 'failed', sum(${r.testsFailed}), 'unresolved', sum(${r.testsUnresolved}),
    'errored', sum(${r.testsErrored}), 'skipped', sum(${r.testsSkipped})) end
  from ${runs} r where ${latestResults} and not ${leftOutOf(r)})`

/** How many of the latest results are solved, and how many count; null when none does. */
const latestSolved = sql<SolvedCounts | null>`(
  select case when count(${solvedOf(r)}) = 0 then null else jsonb_build_object(
    'solved', count(*) filter (where ${solvedOf(r)}), 'runs', count(${solvedOf(r)})) end
  from ${runs} r where ${latestResults})`

/** Newest first. */
export async function findExperiments(db: Database, filter: ExperimentFilter) {
  const { search, owner, updatedSince, after } = filter
  const conditions: (SQL | undefined)[] = [
    eq(experiments.organizationId, filter.organizationId),
    filter.id === undefined ? undefined : eq(experiments.id, filter.id),
    search
      ? sql`(${experiments.name} ilike ${likePattern(search)} or ${experiments.id} ilike ${likePattern(search)})`
      : undefined,
    owner ? sql`(${users.email} = lower(${owner}) or ${users.id}::text = lower(${owner}))` : undefined,
    updatedSince ? sql`${experiments.updatedAt} >= ${updatedSince}::timestamptz` : undefined,
    after
      ? sql`(${experiments.createdAt}, ${experiments.id}) < (${after.createdAt}::timestamptz, ${after.id})`
      : undefined,
    ...Object.entries(filter.axes).map(([axis, ids]) => (ids?.length ? holdsAny(axis, ids) : undefined)),
  ]
  return db
    .select({
      experiment: experiments,
      owner: { id: users.id, email: users.email, name: users.name },
      ordinal: experimentVersions.ordinal,
      runCount: sql<number>`(select count(*)::int from ${runs} r where ${ofExperiment})`,
      unfinishedRunCount: sql<number>`(select count(*)::int from ${runs} r where ${ofExperiment} and ${r.status} in ('queued', 'waiting_for_ci', 'running'))`,
      lastActivityAt:
        sql<string>`greatest(${experiments.updatedAt}, (select max(${r.statusUpdatedAt}) from ${runs} r where ${ofExperiment}))`.mapWith(
          toInstant,
        ),
      latestOutcomes,
      latestSolved,
      latestLeftOut,
      latestResultsFingerprint,
    })
    .from(experiments)
    .innerJoin(users, eq(users.id, experiments.ownerId))
    .innerJoin(
      experimentVersions,
      and(
        eq(experimentVersions.organizationId, experiments.organizationId),
        eq(experimentVersions.experimentId, experiments.id),
        eq(experimentVersions.fingerprint, experiments.latestFingerprint),
      ),
    )
    .where(and(...conditions))
    .orderBy(desc(experiments.createdAt), desc(experiments.id))
    .limit(filter.limit)
}

export type ExperimentRow = Awaited<ReturnType<typeof findExperiments>>[number]

const { yaml: _, definition: __, files: ___, ...versionFacts } = getTableColumns(experimentVersions)

/** Last pushed first, without their text; only the version with `fingerprint` when given. */
export const findVersions = (
  db: Database,
  { organizationId, experimentId, fingerprint }: ExperimentKey & { fingerprint?: string },
) =>
  db
    .select({
      version: versionFacts,
      creator: { id: users.id, email: users.email, name: users.name },
      runCount: sql<number>`(select count(*)::int from ${runs} r where r.organization_id = ${experimentVersions.organizationId}
        and r.experiment_id = ${experimentVersions.experimentId} and r.fingerprint = ${experimentVersions.fingerprint})`,
    })
    .from(experimentVersions)
    .innerJoin(users, eq(users.id, experimentVersions.creatorId))
    .where(
      and(
        eq(experimentVersions.organizationId, organizationId),
        eq(experimentVersions.experimentId, experimentId),
        fingerprint === undefined ? undefined : eq(experimentVersions.fingerprint, fingerprint),
      ),
    )
    .orderBy(desc(experimentVersions.pushedAt), desc(experimentVersions.ordinal))

export type VersionRow = Awaited<ReturnType<typeof findVersions>>[number]

/** The version pushed last; null when the organization has no such experiment. */
export async function findLatestFingerprint(db: Database, { organizationId, experimentId }: ExperimentKey) {
  const [row] = await db
    .select({ fingerprint: experiments.latestFingerprint })
    .from(experiments)
    .where(and(eq(experiments.organizationId, organizationId), eq(experiments.id, experimentId)))
  return row?.fingerprint ?? null
}

/** Creates the experiment's row if needed and locks it until the transaction ends, so that pushes run one at a time. */
export async function lockExperiment(tx: Database, experiment: typeof experiments.$inferInsert) {
  await holdExperimentId(tx, { organizationId: experiment.organizationId, experimentId: experiment.id })
  await tx.insert(experiments).values(experiment).onConflictDoNothing()
  const [row] = await tx
    .select()
    .from(experiments)
    .where(and(eq(experiments.organizationId, experiment.organizationId), eq(experiments.id, experiment.id)))
    .for('update')
  if (!row) throw new Error('The experiment row disappeared')
  return row
}

/** Locks an experiment id until the transaction ends, even while it has no row to lock. */
const holdExperimentId = (tx: Database, { organizationId, experimentId }: ExperimentKey) =>
  lockNamed(tx, 'experiment', organizationId, experimentId)

/** Whether the id is free. It then stays reserved until the transaction ends. */
export async function reserveExperimentId(tx: Database, key: ExperimentKey) {
  const { organizationId, experimentId } = key
  await holdExperimentId(tx, key)
  const taken = await tx.$count(
    experiments,
    and(eq(experiments.organizationId, organizationId), eq(experiments.id, experimentId)),
  )
  return taken === 0
}

export async function updateExperiment(
  tx: Database,
  key: ExperimentKey,
  change: Partial<typeof experiments.$inferInsert>,
) {
  await tx
    .update(experiments)
    .set(change)
    .where(and(eq(experiments.organizationId, key.organizationId), eq(experiments.id, key.experimentId)))
}

export async function insertVersion(tx: Database, version: typeof experimentVersions.$inferInsert) {
  await tx.insert(experimentVersions).values(version)
}

const isVersion = ({ organizationId, experimentId, fingerprint }: VersionKey) =>
  and(
    eq(experimentVersions.organizationId, organizationId),
    eq(experimentVersions.experimentId, experimentId),
    eq(experimentVersions.fingerprint, fingerprint),
  )

/** Includes its text, definition and package. */
export async function findWholeVersion(db: Database, key: VersionKey) {
  const [version] = await db.select().from(experimentVersions).where(isVersion(key))
  return version ?? null
}

/** A push of a stored version keeps the ordinal and the creator, and stores the latest text. */
export async function touchVersion(tx: Database, key: VersionKey, change: { yaml: string; pushedAt: string }) {
  await tx.update(experimentVersions).set(change).where(isVersion(key))
}

/** The size in bytes, by hash, of each blob of these files that is staged in the organization. */
export async function findStagedSizes(db: Database, organizationId: string, files: readonly VersionFile[]) {
  const wanted = [...new Set(files.map((file) => file.tarSha256))]
  if (wanted.length === 0) return new Map<string, number>()
  const staged = await db
    .select({ sha256: stagedBlobs.sha256, sizeBytes: stagedBlobs.sizeBytes })
    .from(stagedBlobs)
    .where(and(eq(stagedBlobs.organizationId, organizationId), inArray(stagedBlobs.sha256, wanted)))
  return new Map(staged.map(({ sha256, sizeBytes }) => [sha256, sizeBytes]))
}

export async function recordStagedBlob(db: Database, blob: typeof stagedBlobs.$inferInsert) {
  await db.insert(stagedBlobs).values(blob).onConflictDoNothing()
}
