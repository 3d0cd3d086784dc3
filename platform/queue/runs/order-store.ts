import { and, asc, type Column, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'

import { passRate } from '#contract/outcomes.ts'
import type { RunSortField } from '#contract/run-list.ts'
import { scoreNameOf } from '#contract/score-measures.ts'
import type { ScoreMeasure } from '#contract/scores.ts'
import { maxPosition, Timestamp } from '#contract/wire/query-values.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { runOrder } from '#platform/ground/database/tables/run-order.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import type { ListedRun } from './listed-run-store.ts'
import { scoreValue } from './score-value-store.ts'
import { toOutcomes } from './to-outcomes.ts'

export type RunSort = { field: RunSortField | ScoreMeasure; isDescending: boolean }

export const newestFirst: RunSort = { field: 'createdAt', isDescending: true }

/** The place of a run in a sorted list. `value` is null for runs without one, which come last in both directions. */
export type RunPosition = { value: string | number | null; createdAt: string; runId: string }

type Sorted = { run: ListedRun; triggeredBy: { name: string } }
type SortType = 'text' | 'int' | 'bigint' | 'float8' | 'timestamptz' | 'uuid'

type SortValue = {
  /** The value in SQL, and the same value of a row that was read. */
  of: Parameters<typeof asc>[0]
  read: (row: Sorted) => string | number | null
  type: SortType
  isNullable?: true
}

const order = runOrder<Column>(runs)
const nullable = { isNullable: true } as const

const sortValues: Record<Exclude<RunSortField, 'createdAt'>, SortValue> = {
  endedAt: { of: order.ended, read: ({ run }) => run.endedAt, type: 'timestamptz', ...nullable },
  status: { of: order.status, read: ({ run }) => run.status, type: 'text' },
  variantId: { of: order.variant, read: ({ run }) => run.variantId, type: 'text' },
  agent: { of: order.agent, read: ({ run }) => run.agent, type: 'text' },
  model: { of: order.model, read: ({ run }) => run.model, type: 'text', ...nullable },
  product: { of: order.product, read: ({ run }) => run.product, type: 'text', ...nullable },
  environment: { of: order.environment, read: ({ run }) => run.environment, type: 'text', ...nullable },
  prompt: { of: order.prompt, read: ({ run }) => run.prompt, type: 'text', ...nullable },
  experimentId: { of: order.experiment, read: ({ run }) => run.experimentId, type: 'text' },
  ordinal: { of: order.version, read: ({ run }) => run.ordinal, type: 'int' },
  repeat: { of: order.repeat, read: ({ run }) => run.repeat, type: 'int' },
  passRate: { of: order.pass_rate, read: ({ run }) => passRate(toOutcomes(run)), type: 'float8', ...nullable },
  agentExitCode: { of: order.exit_code, read: ({ run }) => run.agentExitCode, type: 'int', ...nullable },
  costUsd: { of: order.cost, read: ({ run }) => run.costUsd, type: 'float8', ...nullable },
  wallSeconds: { of: order.seconds, read: ({ run }) => run.wallSeconds, type: 'float8', ...nullable },
  totalTokens: { of: order.tokens, read: ({ run }) => run.totalTokens, type: 'bigint', ...nullable },
  toolCalls: { of: order.tool_calls, read: ({ run }) => run.toolCalls, type: 'int', ...nullable },
  toolFailures: { of: order.tool_failures, read: ({ run }) => run.toolFailures, type: 'int', ...nullable },
  runRequestId: { of: order.request, read: ({ run }) => run.requestId, type: 'uuid' },
  triggeredBy: { of: sql`(${users.name} collate "C")`, read: ({ triggeredBy }) => triggeredBy.name, type: 'text' },
}

/** Scores have any name, so they have no index. */
function sortValueOf(field: Exclude<RunSort['field'], 'createdAt'>): SortValue {
  const name = scoreNameOf(field)
  if (name === null) return sortValues[field as Exclude<RunSortField, 'createdAt'>]
  return {
    of: scoreValue(name),
    read: ({ run }) => run.scores.find((score) => score.name === name)?.value ?? null,
    type: 'float8',
    ...nullable,
  }
}

const int = z
  .int()
  .min(-(2 ** 31))
  .max(maxPosition)
const valuesOfType = {
  text: z.string(),
  int,
  bigint: z.int(),
  float8: z.number(),
  timestamptz: Timestamp,
  uuid: z.uuid(),
}

/** The format of a position in page tokens: with the sort value, or without one. */
export function positionSchema({ field }: RunSort) {
  const tie = z.tuple([Timestamp, z.uuid()])
  if (field === 'createdAt') return tie
  const { type, isNullable } = sortValueOf(field)
  const withValue = z.tuple([valuesOfType[type], Timestamp, z.uuid()])
  return isNullable ? z.union([withValue, tie]) : withValue
}

/** Reads the position that `positionSchema` accepted. */
export function toPosition(parts: readonly (string | number)[]): RunPosition {
  const [runId, createdAt, value = null] = parts.toReversed()
  return { value, createdAt: String(createdAt), runId: String(runId) }
}

export function positionOf({ field }: RunSort, row: Sorted): (string | number)[] {
  const value = field === 'createdAt' ? null : sortValueOf(field).read(row)
  return [...(value === null ? [] : [value]), row.run.createdAt, row.run.id]
}

/** A part of a sorted list that an index can return in order: an index of all its runs, or of those that have ended. */
export type Section = { where: SQL | undefined; orderBy: SQL[]; index: 'whole' | 'ended' }

/** The index on ends is whole as well: the runs without an end are a section of their own. */
const hasWholeIndex: ReadonlySet<RunSort['field']> = new Set(['status', 'endedAt'])

/**
 * The list after a position, in sections: the runs with the same value as the position, those with a later value, and
 * those without one. One index serves both directions this way, although runs without a value are always last. A
 * comparison of whole rows would be shorter, but the planner estimates it by its first column alone, and then sorts
 * every run that has the last value.
 */
export function sectionsAfter({ field, isDescending }: RunSort, after: RunPosition | undefined): Section[] {
  const direction = isDescending ? desc : asc
  const than = isDescending ? sql`<` : sql`>`
  const ties = [direction(runs.createdAt), direction(runs.id)]
  const isBeyondTie =
    after && sql`(${runs.createdAt}, ${runs.id}) ${than} (${after.createdAt}::timestamptz, ${after.runId}::uuid)`
  if (field === 'createdAt') return [{ where: isBeyondTie, orderBy: ties, index: 'whole' }]

  const { of: value, type, isNullable } = sortValueOf(field)
  // `order by` includes the value even where it is null, because the planner then recognizes the order of the index.
  const orderBy = [direction(value), ...ties]
  const section = (where: SQL | undefined): Section => ({
    where,
    orderBy,
    index: hasWholeIndex.has(field) ? 'whole' : 'ended',
  })
  const withoutValue = section(and(isNull(value), after?.value === null ? isBeyondTie : undefined))
  if (after?.value === null) return [withoutValue]
  const last = after && sql`${after.value}::${sql.raw(type)}`
  const withValue = last
    ? [section(and(sql`${value} = ${last}`, isBeyondTie)), section(sql`${value} ${than} ${last}`)]
    : [section(isNullable ? isNotNull(value) : undefined)]
  return isNullable ? [...withValue, withoutValue] : withValue
}

/**
 * The people with runs of an organization. Each step finds the next one in the index of ended runs; a plain `exists`
 * would read every run once for each person without runs.
 */
const submittersOf = (organizationId: string) => {
  const isOurs = eq(runs.organizationId, organizationId)
  const isEnded = and(isOurs, isNotNull(runs.endedAt))
  const next = (isAfter: SQL) => sql`(select ${runs.triggeredBy} from ${runs}
    where ${isEnded} and ${isAfter} order by ${runs.triggeredBy} limit 1)`
  return sql`with recursive submitters(id) as (
    ${next(sql`true`)}
    union all
    select ${next(sql`${runs.triggeredBy} > submitters.id`)} from submitters where submitters.id is not null
  ) select id from submitters where id is not null
    union select ${runs.triggeredBy} from ${runs} where ${and(isOurs, isNull(runs.endedAt))}`
}

/** The sections of a list that is sorted by the submitter's name: one for each name, because names are not in runs. */
export async function sectionsBySubmitter(
  db: Database,
  organizationId: string,
  { isDescending }: RunSort,
  after: RunPosition | undefined,
): Promise<Section[]> {
  const { of: name } = sortValues.triggeredBy
  const hasRuns = sql`${users.id} in (${submittersOf(organizationId)})`
  const isNotBefore = after && sql`${name} ${isDescending ? sql`<=` : sql`>=`} ${after.value}`
  const submitters = await db
    .select({ name: users.name, ids: sql<string[]>`array_agg(${users.id}::text)` })
    .from(users)
    .where(and(hasRuns, isNotBefore))
    .groupBy(users.name)
    .orderBy(isDescending ? desc(name) : asc(name))
  return submitters.map((submitter) => {
    const [rest] = sectionsAfter(
      { field: 'createdAt', isDescending },
      submitter.name === after?.value ? after : undefined,
    )
    const where = and(inArray(runs.triggeredBy, submitter.ids), rest?.where)
    return { where, orderBy: rest?.orderBy ?? [], index: 'ended' }
  })
}
