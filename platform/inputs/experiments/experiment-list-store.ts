import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'

import type { ExperimentSortField } from '#contract/experiments.ts'
import type { LeftOutRuns } from '#contract/infrastructure.ts'
import type { OutcomeCounts, SolvedCounts } from '#contract/outcomes.ts'
import type { Axes } from '#contract/variants.ts'
import { maxPosition, Timestamp } from '#contract/wire/query-values.ts'
import { toInstant } from '#platform/ground/database/instants.ts'
import { likePattern } from '#platform/ground/database/like-pattern.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import {
  experiments,
  experimentNameKey,
  experimentVersions,
  versionCounts,
} from '#platform/ground/database/tables/experiments.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { importedAgentCommand } from './imported-agents.ts'

export type ExperimentSort = { field: ExperimentSortField; isDescending: boolean }

export const newestFirst: ExperimentSort = { field: 'createdAt', isDescending: true }

/** The place of an experiment in a sorted list. `value` is null for one without it, which comes last in both directions. */
type ExperimentPosition = { value: string | number | null; id: string }

export type ExperimentFilter = {
  organizationId: string
  id?: string | undefined
  search?: string | undefined
  owner?: string | undefined
  axes: Partial<Record<keyof Axes, string[] | undefined>>
  updatedSince?: string | undefined
  isImported?: boolean | undefined
}

type Page = { sort?: ExperimentSort; after?: ExperimentPosition | undefined; limit: number }

const holdsAny = (axis: string, ids: readonly string[]) =>
  sql`jsonb_exists_any(${experiments.axes} -> ${axis}, array[${sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  )}]::text[])`

/** `isImported` of imported-agents.ts, of the latest version. */
const isOfImports = sql`exists (
  select 1 from ${experimentVersions} v
  where v.organization_id = ${experiments.organizationId} and v.experiment_id = ${experiments.id}
    and v.fingerprint = ${experiments.latestFingerprint}
    and not exists (
      select 1 from jsonb_array_elements(v.definition -> 'agents') agent
      where agent -> 'command' is distinct from ${JSON.stringify(importedAgentCommand)}::jsonb))`

const c = alias(versionCounts, 'c')

const ofExperiment = sql`${c.organizationId} = ${experiments.organizationId} and ${c.experimentId} = ${experiments.id}`

const isFinished = sql`${c.status} in ('completed', 'errored', 'canceled')`

/** The last pushed version that has finished runs; null if there is none. */
const latestResultsFingerprint = sql<string | null>`(
    select v.fingerprint from ${experimentVersions} v
    where v.organization_id = ${experiments.organizationId} and v.experiment_id = ${experiments.id} and (
      select sum(${c.runs}) from ${versionCounts} c
      where ${ofExperiment} and ${c.fingerprint} = v.fingerprint and ${isFinished}) > 0
    order by v.pushed_at desc, v.ordinal desc limit 1)`

/** The counts of the finished runs of that version. */
const latestResults = sql`${ofExperiment} and ${isFinished} and ${c.fingerprint} = ${latestResultsFingerprint}`

/** How many runs the latest results leave out, by cause. */
const latestLeftOut = sql<LeftOutRuns>`(
  select coalesce(jsonb_object_agg(cause, amount), '{}') from (
    select ${c.cause} as cause, sum(${c.runs}) as amount
    from ${versionCounts} c where ${latestResults} and ${c.cause} is not null
    group by ${c.cause} having sum(${c.runs}) > 0) left_out)`

/** The test counts of the latest results; null when there are none. */
const latestOutcomes = sql<OutcomeCounts | null>`(
  select case when coalesce(sum(${c.runs}), 0) = 0 then null else jsonb_build_object(
    'passed', sum(${c.passed}), 'failed', sum(${c.failed}), 'unresolved', sum(${c.unresolved}),
    'errored', sum(${c.errored}), 'skipped', sum(${c.skipped})) end
  from ${versionCounts} c where ${latestResults} and ${c.cause} is null)`

/** How many of the latest results are solved, and how many count; null when none does. */
const latestSolved = sql<SolvedCounts | null>`(
  select case when coalesce(sum(${c.judged}), 0) = 0 then null else jsonb_build_object(
    'solved', sum(${c.solved}), 'runs', sum(${c.judged})) end
  from ${versionCounts} c where ${latestResults})`

const sumOfRuns = (condition: SQL) =>
  sql<number>`(select coalesce(sum(${c.runs}), 0)::int from ${versionCounts} c where ${ofExperiment} and ${condition})`

const runCount = sumOfRuns(sql`true`)

const lastActivityAt =
  sql<string>`greatest(${experiments.updatedAt}, (select max(${c.lastActivityAt}) from ${versionCounts} c where ${ofExperiment}))`.mapWith(
    toInstant,
  )

type SortValue = { of: SQL<string | number | null>; type: 'text' | 'int' | 'float8' | 'timestamptz'; isNullable?: true }

/**
 * The values that the list is sorted by. Only the time of creation and the name have an index: an organization has few
 * experiments, and the values that count their runs change with every run.
 */
const sortValues: Record<ExperimentSortField, SortValue> = {
  createdAt: { of: sql<string>`${experiments.createdAt}`.mapWith(toInstant), type: 'timestamptz' },
  name: { of: experimentNameKey(experiments), type: 'text' },
  owner: { of: sql<string>`(lower(${users.name}) collate "C")`, type: 'text' },
  versionCount: { of: sql<number>`${experiments.versionCount}`, type: 'int' },
  runCount: { of: runCount, type: 'int' },
  lastActivityAt: { of: lastActivityAt, type: 'timestamptz' },
  solved: {
    of: sql<number | null>`(select sum(${c.solved})::float8 / nullif(sum(${c.judged}), 0)
      from ${versionCounts} c where ${latestResults})`,
    type: 'float8',
    isNullable: true,
  },
}

const int = z.int().min(0).max(maxPosition)
const valuesOfType = { text: z.string(), int, float8: z.number(), timestamptz: Timestamp }

/** The format of a position in page tokens: with the sort value, or without one. */
export function positionSchema({ field }: ExperimentSort) {
  const { type, isNullable } = sortValues[field]
  const withValue = z.tuple([valuesOfType[type], z.string()])
  return isNullable ? z.union([withValue, z.tuple([z.string()])]) : withValue
}

/** Reads the position that `positionSchema` accepted. */
export function toPosition(parts: readonly (string | number)[]): ExperimentPosition {
  const [id, value = null] = parts.toReversed()
  return { value, id: String(id) }
}

export const positionOf = ({ place, experiment: { id } }: ExperimentRow): (string | number)[] =>
  place === null ? [id] : [place, id]

function isAfter({ field, isDescending }: ExperimentSort, { value, id }: ExperimentPosition) {
  const { of, type, isNullable } = sortValues[field]
  const than = sql.raw(isDescending ? '<' : '>')
  if (value === null) return sql`(${of} is null and ${experiments.id} ${than} ${id})`
  const isFurther = sql`(${of}, ${experiments.id}) ${than} (${value}::${sql.raw(type)}, ${id})`
  return isNullable ? sql`(${isFurther} or ${of} is null)` : isFurther
}

function orderOf({ field, isDescending }: ExperimentSort) {
  const { of, isNullable } = sortValues[field]
  const direction = isDescending ? desc : asc
  // Without it the index can return the order, which has nulls last in one direction only.
  const value = isNullable ? sql`${direction(of)} nulls last` : direction(of)
  return [value, direction(experiments.id)]
}

/** Finds experiments in the order of `sort`, by default the newest first. */
export async function findExperiments(
  db: Database,
  filter: ExperimentFilter,
  { sort = newestFirst, after, limit }: Page,
) {
  const { search, owner, updatedSince } = filter
  const conditions: (SQL | undefined)[] = [
    eq(experiments.organizationId, filter.organizationId),
    filter.id === undefined ? undefined : eq(experiments.id, filter.id),
    search
      ? sql`(${experiments.name} ilike ${likePattern(search)} or ${experiments.id} ilike ${likePattern(search)})`
      : undefined,
    owner ? sql`(${users.email} = lower(${owner}) or ${users.id}::text = lower(${owner}))` : undefined,
    updatedSince ? sql`${experiments.updatedAt} >= ${updatedSince}::timestamptz` : undefined,
    filter.isImported ? isOfImports : undefined,
    after && isAfter(sort, after),
    ...Object.entries(filter.axes).map(([axis, ids]) => (ids?.length ? holdsAny(axis, ids) : undefined)),
  ]
  return db
    .select({
      experiment: experiments,
      owner: { id: users.id, email: users.email, name: users.name },
      ordinal: experimentVersions.ordinal,
      runCount,
      unfinishedRunCount: sumOfRuns(sql`not ${isFinished}`),
      lastActivityAt,
      latestOutcomes,
      latestSolved,
      latestLeftOut,
      latestResultsFingerprint,
      place: sortValues[sort.field].of,
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
    .orderBy(...orderOf(sort))
    .limit(limit)
}

export type ExperimentRow = Awaited<ReturnType<typeof findExperiments>>[number]
