import { z } from 'zod'

import { infrastructureCauses } from './infrastructure.ts'
import { endpoint } from './endpoint.ts'
import { SolvedCounts } from './outcomes.ts'
import { RunEnding } from './run-endings.ts'
import { Run, StatusCounts } from './runs.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { listParam } from '#contract/wire/list-param.ts'
import { booleanParam, numberParam, timestampParam } from '#contract/wire/query-values.ts'
import { scoreSortParam } from '#contract/wire/sort-param.ts'
import { ScoreName } from './scores.ts'

/** The fields of a run that lists can be sorted by. */
export const runSortFields = [
  'createdAt',
  'endedAt',
  'status',
  'variantId',
  'agent',
  'model',
  'product',
  'environment',
  'prompt',
  'experimentId',
  'ordinal',
  'repeat',
  'passRate',
  'agentExitCode',
  'costUsd',
  'wallSeconds',
  'totalTokens',
  'toolCalls',
  'toolFailures',
  'runRequestId',
  'triggeredBy',
] as const
export type RunSortField = (typeof runSortFields)[number]

/**
 * What a run's tests say about it. A run can have several results: it is `failed` if at least one of its tests failed,
 * and so on. `solved` and `unsolved`: `isSolved` of contract/outcomes.ts; a canceled run and one
 * without tests is neither.
 */
export const RunResult = z.enum(['solved', 'unsolved', 'passed', 'failed', 'unresolved', 'errored', 'skipped'])
export type RunResult = z.infer<typeof RunResult>

/** The causes of the filter, and `any`. */
export const InfrastructureFilter = z.enum([...infrastructureCauses, 'any'])
export type InfrastructureFilter = z.infer<typeof InfrastructureFilter>

export const maxSearchCharacters = 500

const exitCodes = z.string().regex(/^(nonzero|-?\d{1,9})$/, 'must contain exit codes, such as 1 or 137, or nonzero')

/** The filters of lists of runs. Values of one filter are alternatives; different filters must all match. */
export const runFilters = {
  experimentId: z.string().optional(),
  status: listParam(),
  agent: listParam(),
  model: listParam(),
  product: listParam(),
  environment: listParam(),
  prompt: listParam(),
  variant: listParam(),
  triggeredBy: listParam(),
  since: timestampParam(),
  versionScope: z.string().optional(),
  testAware: booleanParam(),
  /** Additions: select the runs that `timedOutCount` and `planLimitedCount` of a request count. */
  timedOut: booleanParam(),
  planLimited: booleanParam(),
  runRequestId: z.string().optional(),
  /** Additions: text in the id, the variant, the prompt or the error; results; exit codes of the agent. */
  search: z.string().max(maxSearchCharacters).optional(),
  result: listParam(RunResult),
  exitCode: listParam(exitCodes),
  /** Addition: causes of runs that are left out; `any` is every cause. */
  infrastructureCause: listParam(InfrastructureFilter),
  /** Addition: how runs ended. Every finished run has exactly one ending. */
  ending: listParam(RunEnding),
  /** Additions: the filters of charts that the API document gives no list. */
  agentMode: listParam(),
  withoutTestAware: booleanParam(),
  /** Additions: tags on the run itself, in any spelling, and runs whose outcome someone disputes. */
  tag: listParam(),
  disputed: booleanParam(),
  /** Additions: runs that ended at or after the one time and before the other, and runs whose cost is in the ledger. */
  endedSince: timestampParam(),
  endedBefore: timestampParam(),
  metered: booleanParam(),
  /** Addition: runs of variants without a model, which `model` cannot name. */
  withoutModel: booleanParam(),
  /** Additions: runs with a known score of this name, of at least the one value and below the other. */
  score: ScoreName.optional(),
  scoreAtLeast: numberParam(),
  scoreBelow: numberParam(),
  /** Addition: the runs of a bulk action. */
  bulkAction: z.string().optional(),
  /** Addition: the field or score (`score:correctness`) that the list is sorted by, with `-` for descending order. */
  sort: scoreSortParam(runSortFields),
}

export const runFilterAliases = { statusUpdatedSince: 'since', experimentVersion: 'versionScope' }

/**
 * `statusCounts` applies every filter except the status filter, for the status tabs. With `changes`, `runs` contains
 * only runs that are new or changed since the stamp in the request; without, it is the whole page.
 */
export const RunList = z.object({
  runs: z.array(Run),
  statusCounts: StatusCounts,
  nextPageToken: z.string().optional(),
  /** Additions: send the stamp back as `changed_since` to get the changes since this response. */
  changes: z
    .object({
      /** Composite ids of runs that no longer match the filters. */
      removedIds: z.array(z.string()),
    })
    .optional(),
  stamp: z.string().optional(),
  /** Addition: how many of the runs that match are solved, on all pages. Only if `countSolved` asks for it. */
  solved: SolvedCounts.optional(),
})
export type RunList = z.infer<typeof RunList>

export const listRuns = endpoint({
  name: 'runs.list',
  method: 'GET',
  path: '/runs',
  summary: 'List runs, most recently submitted first unless `sort` says otherwise',
  query: z.object({
    ...runFilters,
    /** Addition: the stamp of an earlier response to the same request. */
    changedSince: z.string().optional(),
    /** Addition: also count the solved runs, which reads every run that matches. */
    countSolved: booleanParam(),
    limit: limitParam(limits.runs),
    pageToken: z.string().optional(),
  }),
  queryAliases: runFilterAliases,
  response: RunList,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied'],
})
