import { RunEnding } from '#contract/run-endings.ts'
import { InfrastructureFilter, RunResult } from '#contract/run-list.ts'
import { RunStatus, runStatuses } from '#contract/run-status.ts'
import type { StatusCounts } from '#contract/runs.ts'
import type { RunFilters } from '#src/api/runs.ts'

/** The list filters of GET /runs. Our URLs use the same names as the API. */
const listFilters = {
  status: 'status',
  agent: 'agent',
  agentMode: 'agent_mode',
  model: 'model',
  product: 'product',
  environment: 'environment',
  prompt: 'prompt',
  variant: 'variant',
  triggeredBy: 'triggered_by',
  result: 'result',
  tag: 'tag',
  exitCode: 'exit_code',
  infrastructureCause: 'infrastructure_cause',
  ending: 'ending',
} as const satisfies Partial<Record<keyof RunFilters, string>>

const textFilters = {
  experimentId: 'experiment_id',
  since: 'since',
  versionScope: 'version_scope',
  runRequestId: 'run_request_id',
  endedSince: 'ended_since',
  endedBefore: 'ended_before',
  bulkAction: 'bulk_action',
  score: 'score',
  search: 'search',
} as const satisfies Partial<Record<keyof RunFilters, string>>

const numberFilters = {
  scoreAtLeast: 'score_at_least',
  scoreBelow: 'score_below',
} as const satisfies Partial<Record<keyof RunFilters, string>>

const flagFilters = {
  testAware: 'test_aware',
  disputed: 'disputed',
  withoutTestAware: 'without_test_aware',
  timedOut: 'timed_out',
  planLimited: 'plan_limited',
  metered: 'metered',
  withoutModel: 'without_model',
} as const satisfies Partial<Record<keyof RunFilters, string>>

export type ListFilterName = keyof typeof listFilters
export type TextFilterName = keyof typeof textFilters
export type FlagFilterName = keyof typeof flagFilters
export type AppliedFilters = {
  [name in Exclude<ListFilterName, 'status' | 'result' | 'infrastructureCause' | 'ending'>]: string[]
} & {
  status: RunStatus[]
  result: RunResult[]
  infrastructureCause: InfrastructureFilter[]
  ending: RunEnding[]
} & {
  [name in TextFilterName]?: string
} & { [name in keyof typeof numberFilters]?: number } & { [name in FlagFilterName]: boolean }

/** Reads filters from a URL. It ignores unknown names, statuses, results, causes, endings and exit codes, and limits that are no numbers. */
export function readRunFilters(search: URLSearchParams): AppliedFilters {
  const lists = Object.entries(listFilters).map(([name, param]) => [
    name,
    search.getAll(param).flatMap((value) => value.split(',').filter(Boolean)),
  ])
  const texts = Object.entries(textFilters).flatMap(([name, param]) => {
    const value = search.get(param)
    return value ? [[name, value]] : []
  })
  const numbers = Object.entries(numberFilters).flatMap(([name, param]) => {
    const value = search.get('score') && search.get(param)
    return value && Number.isFinite(Number(value)) ? [[name, Number(value)]] : []
  })
  const flags = Object.entries(flagFilters).map(([name, param]) => [name, search.get(param) === 'true'])
  const filters = Object.fromEntries([...lists, ...texts, ...numbers, ...flags])
  return {
    ...filters,
    status: filters.status.filter((status: string) => RunStatus.safeParse(status).success),
    result: filters.result.filter((result: string) => RunResult.safeParse(result).success),
    infrastructureCause: filters.infrastructureCause.filter(
      (cause: string) => InfrastructureFilter.safeParse(cause).success,
    ),
    ending: filters.ending.filter((ending: string) => RunEnding.safeParse(ending).success),
    exitCode: filters.exitCode.filter((code: string) => /^(nonzero|-?\d{1,9})$/.test(code)),
  }
}

const params: Record<string, string> = { ...listFilters, ...textFilters, ...numberFilters, ...flagFilters }

/** Converts a filter change to a change of the URL. */
export const toQueryChanges = (change: Partial<AppliedFilters>) =>
  Object.fromEntries(
    Object.entries(change).flatMap(([name, value]) => {
      const param = params[name]
      if (!param) return []
      return [[param, typeof value === 'boolean' ? (value ? 'true' : null) : toQueryValue(value)]]
    }),
  )

const toQueryValue = (value: string[] | string | number | undefined) =>
  typeof value === 'number' ? String(value) : (value ?? null)

/** Clears every filter except the status. */
export const clearedFilters = Object.fromEntries(
  Object.values(params)
    .filter((param) => param !== params['status'])
    .map((param) => [param, null]),
)

/** Whether a filter leaves out anything. */
export const isUsed = (value: AppliedFilters[keyof AppliedFilters]) =>
  typeof value === 'object' || typeof value === 'string' ? value.length > 0 : value !== undefined && value !== false

/** The status is a tab and does not count here. */
export const isFiltered = (filters: AppliedFilters) =>
  Object.entries(filters).some(([name, value]) => name !== 'status' && isUsed(value))

/** The status and the search are always visible, and the limits of a score belong to the score. */
const uncounted = new Set(['status', 'search', ...Object.keys(numberFilters)])

/** How many filters are used of those that may be folded away. */
export const countFilters = (filters: AppliedFilters) =>
  Object.entries(filters).filter(([name, value]) => !uncounted.has(name) && isUsed(value)).length

/** The parameters of GET /runs. Only active filters are sent, so that equal lists share a cache entry. */
export const toRunQuery = (filters: AppliedFilters, fixed: Partial<RunFilters> = {}): RunFilters => ({
  ...Object.fromEntries(Object.entries(filters).filter(([, value]) => isUsed(value))),
  ...fixed,
})

/** The number of runs of a list that has a tab of some statuses open; of all, if none is open. */
export const totalOf = (counts: StatusCounts | undefined, chosen: readonly RunStatus[]) =>
  counts && (chosen.length > 0 ? chosen : runStatuses).reduce((sum, status) => sum + counts[status], 0)
