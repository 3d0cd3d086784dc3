import { readGroup } from '#contract/chart-columns.ts'
import type { ChartParameters } from '#contract/charts.ts'
import type { RunEnding } from '#contract/run-endings.ts'
import { paths } from '#src/paths.ts'

/** Filters of the list of runs, by their names in its URL. */
type RunFilters = Record<string, string | readonly string[] | boolean>

/** The list filters of a chart. Our URLs use the API's parameter names; `listParam` is the filter of the runs list. */
export const chartFilters = [
  { name: 'agents', param: 'agents', listParam: 'agent', axis: 'agents', label: 'Agent' },
  { name: 'agentModes', param: 'agent_modes', listParam: 'agent_mode', axis: 'agentModes', label: 'Mode' },
  { name: 'models', param: 'models', listParam: 'model', axis: 'models', label: 'Model' },
  { name: 'products', param: 'products', listParam: 'product', axis: 'products', label: 'Product' },
  { name: 'environments', param: 'environments', listParam: 'environment', axis: 'environments', label: 'Environment' },
  { name: 'promptIds', param: 'prompt_ids', listParam: 'prompt', axis: 'prompts', label: 'Prompt' },
] as const

/**
 * The filters of the runs list that select the runs of one group of a chart, with every filter of the chart. `version`
 * is the chart's. Null for a group of a day, a week or tags, or without a value on an axis: the list has no such filter.
 */
export function groupRunFilters(
  { groupBy, ...parameters }: ChartParameters,
  group: string,
  version: string,
): RunFilters | null {
  const values = groupBy === 'variant' ? { variant: group } : readGroup(groupBy, group)
  if (Object.values(values).includes('') || ['day', 'week', 'tags'].some((axis) => axis in values)) return null
  return chartRunFilters(parameters, version, values)
}

/** The filters of the list of runs that select all runs of a chart, those included that it leaves out, or of one group. */
const chartRunFilters = (
  parameters: Omit<ChartParameters, 'groupBy'>,
  version: string,
  group: RunFilters = {},
): RunFilters => ({
  ...Object.fromEntries(chartFilters.map(({ name, listParam }) => [listParam, parameters[name]])),
  ...group,
  version_scope: version,
  result: parameters.fullPassOnly && 'solved',
  without_test_aware: !parameters.includeTestAware,
})

/** The runs that are left out, or that ended in one way. */
export type ListedRuns = 'left out' | RunEnding

/** Links of a leaderboard to lists of its runs; `group` is null where the list cannot select the runs of the group. */
export function runsHrefs(experimentId: string, parameters: ChartParameters, version: string) {
  const href = (filters: RunFilters, which: ListedRuns) =>
    paths.experiment(experimentId, 'runs', {
      ...filters,
      ...(which === 'left out' ? { infrastructure_cause: 'any' } : { ending: which }),
    })
  return {
    all: (which: ListedRuns) => href(chartRunFilters(parameters, version), which),
    group: (group: string, which: ListedRuns) => {
      const filters = groupRunFilters(parameters, group, version)
      return filters && href(filters, which)
    },
  }
}
