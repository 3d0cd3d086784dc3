import { and, arrayOverlaps, eq, gte, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'

import type { RunEnding } from '#contract/run-endings.ts'
import type { InfrastructureFilter, RunResult } from '#contract/run-list.ts'
import type { RunStatus } from '#contract/run-status.ts'
import { likePattern } from '#platform/ground/database/like-pattern.ts'
import { endsUuid, isUuid, startsUuid } from '#platform/ground/database/is-uuid.ts'
import { bulkActionRuns, bulkActions } from '#platform/ground/database/tables/bulk-actions.ts'
import { runUsage } from '#platform/ground/database/tables/credits.ts'
import { experiments } from '#platform/ground/database/tables/experiments.ts'
import { labels } from '#platform/ground/database/tables/labels.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { endingOfRun, isLeftOut, isSolved } from '#platform/ground/database/tables/solved-runs.ts'
import { scoreValue } from './score-value-store.ts'

export type RunFilter = {
  organizationId: string
  compositeId?: string | undefined
  experimentId?: string | undefined
  statuses?: RunStatus[] | undefined
  agents?: string[] | undefined
  agentModes?: string[] | undefined
  models?: string[] | undefined
  products?: string[] | undefined
  environments?: string[] | undefined
  prompts?: string[] | undefined
  variants?: string[] | undefined
  triggeredBy?: string[] | undefined
  updatedSince?: string | undefined
  versionScope?: string | undefined
  testAwareOnly?: boolean | undefined
  withoutTestAware?: boolean | undefined
  runRequestId?: string | undefined
  timedOutOnly?: boolean | undefined
  planLimitedOnly?: boolean | undefined
  search?: string | undefined
  results?: RunResult[] | undefined
  /** Exit codes of the agent; `nonzero` is any but 0. */
  exitCodes?: (number | 'nonzero')[] | undefined
  infrastructureCauses?: InfrastructureFilter[] | undefined
  endings?: RunEnding[] | undefined
  tags?: string[] | undefined
  disputedOnly?: boolean | undefined
  bulkActionId?: string | undefined
  /** Runs with a known score of the name. */
  score?: { name: string; atLeast: number | undefined; below: number | undefined } | undefined
  endedSince?: string | undefined
  endedBefore?: string | undefined
  meteredOnly?: boolean | undefined
  withoutModel?: boolean | undefined
}

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
export const isPlanLimited = sql`${runs.timeLimitHit} and ${runs.timePlanCapSeconds} > 0
  and ${runs.timeBudgetSeconds} >= ${runs.timePlanCapSeconds}`

/** Text in the id, which starts with the variant, in the prompt's id or in the error, or the start or end of a UUID. */
function contains(text: string | undefined): SQL | undefined {
  if (!text) return undefined
  const pattern = likePattern(text)
  return sql`(${runs.compositeId} ilike ${pattern} or ${runs.prompt} ilike ${pattern}
    or ${runs.statusReason} ilike ${pattern} or ${startsUuid(runs.id, text)} or ${startsUuid(runs.requestId, text)}
    or ${endsUuid(runs.id, text)} or ${endsUuid(runs.requestId, text)})`
}

const resultConditions: Record<RunResult, SQL> = {
  solved: sql`(${isSolved}) is true`,
  unsolved: sql`(${isSolved}) is false`,
  passed: sql`${runs.testsPassed} > 0`,
  failed: sql`${runs.testsFailed} > 0`,
  unresolved: sql`${runs.testsUnresolved} > 0`,
  errored: sql`${runs.testsErrored} > 0`,
  skipped: sql`${runs.testsSkipped} > 0`,
}

const hasResult = (results: RunResult[] | undefined) =>
  results?.length ? or(...results.map((result) => resultConditions[result])) : undefined

function hasExitCode(codes: RunFilter['exitCodes']): SQL | undefined {
  if (!codes?.length) return undefined
  const numbers = codes.filter((code) => code !== 'nonzero')
  const others = codes.includes('nonzero') ? sql`${runs.agentExitCode} <> 0` : undefined
  // Makes the planner read only the runs whose agent exited, by the index on exit codes.
  return and(
    isNotNull(runs.agentExitCode),
    or(numbers.length > 0 ? inArray(runs.agentExitCode, numbers) : undefined, others),
  )
}

function hasCause(causes: RunFilter['infrastructureCauses']): SQL | undefined {
  if (!causes?.length) return undefined
  const named = causes.filter((cause) => cause !== 'any')
  return and(isLeftOut, causes.includes('any') ? undefined : inArray(runs.infrastructureCause, named))
}

function hasScore(score: RunFilter['score']): SQL | undefined {
  if (!score) return undefined
  const value = scoreValue(score.name)
  return and(
    isNotNull(value),
    score.atLeast === undefined ? undefined : sql`${value} >= ${score.atLeast}::float8`,
    score.below === undefined ? undefined : sql`${value} < ${score.below}::float8`,
  )
}

/** The subquery is for the index on tags, the overlap for the tags of the run itself. */
const hasTag = ({ tags, organizationId }: RunFilter) =>
  tags?.length
    ? and(
        sql`${runs.id} in (select ${labels.runId} from ${labels} where ${labels.organizationId} = ${organizationId}
          and ${labels.kind} = 'tag' and ${inArray(labels.text, tags)})`,
        arrayOverlaps(runs.tags, tags),
      )
    : undefined

/** The cost of all other runs, those that imitate an agent and imported ones, is in no sum. */
const isMetered = sql`exists (select from ${runUsage} where ${runUsage.runId} = ${runs.id})`

/** Chosen once and for all, and only by its own organization. */
const isOfBulkAction = ({ bulkActionId, organizationId }: RunFilter) =>
  bulkActionId === undefined
    ? undefined
    : sql`${runs.id} in (select ${bulkActionRuns.runId} from ${bulkActionRuns}
        inner join ${bulkActions} on ${bulkActions.id} = ${bulkActionRuns.actionId}
        where ${bulkActions.organizationId} = ${organizationId} and ${isUuid(bulkActionRuns.actionId, bulkActionId)})`

/** Conditions that a run meets from its submission on, or never meets. */
export const lastingConditions = (filter: RunFilter): (SQL | undefined)[] => [
  eq(runs.organizationId, filter.organizationId),
  filter.compositeId === undefined ? undefined : eq(runs.compositeId, filter.compositeId),
  filter.experimentId === undefined ? undefined : eq(runs.experimentId, filter.experimentId),
  among(runs.agent, filter.agents),
  among(runs.agentMode, filter.agentModes),
  among(runs.model, filter.models),
  filter.withoutModel ? isNull(runs.model) : undefined,
  among(runs.product, filter.products),
  among(runs.environment, filter.environments),
  among(runs.prompt, filter.prompts),
  among(runs.variantId, filter.variants),
  among(sql`${runs.triggeredBy}::text`, filter.triggeredBy),
  filter.runRequestId === undefined ? undefined : isUuid(runs.requestId, filter.runRequestId),
  inVersionScope(filter.versionScope),
  isOfBulkAction(filter),
]

/** Conditions that a run can start or stop meeting later, except the status filter. */
export const passingConditions = (filter: RunFilter): (SQL | undefined)[] => [
  filter.updatedSince === undefined ? undefined : gte(runs.statusUpdatedAt, sql`${filter.updatedSince}::timestamptz`),
  filter.testAwareOnly ? eq(runs.testAware, true) : undefined,
  filter.withoutTestAware ? eq(runs.testAware, false) : undefined,
  filter.timedOutOnly ? eq(runs.timeLimitHit, true) : undefined,
  filter.planLimitedOnly ? isPlanLimited : undefined,
  contains(filter.search),
  hasResult(filter.results),
  hasExitCode(filter.exitCodes),
  hasCause(filter.infrastructureCauses),
  filter.endings?.length ? inArray(endingOfRun, filter.endings) : undefined,
  hasTag(filter),
  hasScore(filter.score),
  filter.disputedOnly ? eq(runs.disputed, true) : undefined,
  filter.endedSince === undefined ? undefined : gte(runs.endedAt, sql`${filter.endedSince}::timestamptz`),
  filter.endedBefore === undefined ? undefined : lt(runs.endedAt, sql`${filter.endedBefore}::timestamptz`),
  filter.meteredOnly ? isMetered : undefined,
]

export const hasStatus = ({ statuses }: RunFilter) => among(runs.status, statuses)

export const conditionsOf = (filter: RunFilter) => [...lastingConditions(filter), ...passingConditions(filter)]
