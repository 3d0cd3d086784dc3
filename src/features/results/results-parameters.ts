import { ChartGroupBy, HeatmapParameters } from '#contract/charts.ts'
import { type HeatmapSort, heatmapSorts } from '#src/charts/heatmap/heatmap-matrix.ts'

/** The list filters of a chart; in our URLs they have the names the spec gives chart parameters. */
export const chartFilters = [
  { name: 'agents', param: 'agents', axis: 'agents', label: 'Agent' },
  { name: 'agentModes', param: 'agent_modes', axis: 'agentModes', label: 'Mode' },
  { name: 'models', param: 'models', axis: 'models', label: 'Model' },
  { name: 'products', param: 'products', axis: 'products', label: 'Product' },
  { name: 'environments', param: 'environments', axis: 'environments', label: 'Environment' },
  { name: 'promptIds', param: 'prompt_ids', axis: 'prompts', label: 'Prompt' },
] as const

export const groupLabels: Record<ChartGroupBy, string> = {
  variant: 'Variant',
  model: 'Model',
  agent: 'Agent',
  agent_mode: 'Agent mode',
  prompt: 'Prompt',
  environment: 'Environment',
  product: 'Product',
}

export type ResultsView = 'chart' | 'table'

/** Whose runs the side pane shows; the empty group holds the runs with no recorded value. */
export type SelectedCell = { test: string; group: string }

export type ResultsState = {
  parameters: HeatmapParameters
  view: ResultsView
  sort: HeatmapSort
  cell: SelectedCell | null
}

/** The whole page from its URL; a grouping or order it does not know is the default one. */
export function readResultsState(search: URLSearchParams): ResultsState {
  const groupBy = ChartGroupBy.safeParse(search.get('group_by'))
  const test = search.get('test')
  return {
    parameters: HeatmapParameters.parse({
      groupBy: groupBy.success ? groupBy.data : undefined,
      version: search.get('version') || undefined,
      ...Object.fromEntries(chartFilters.map(({ name, param }) => [name, search.getAll(param)])),
      fullPassOnly: search.get('full_pass_only') === 'true',
      includeTestAware: search.get('include_test_aware') === 'true',
      testSearch: search.get('test_search') ?? '',
    }),
    view: search.get('view') === 'table' ? 'table' : 'chart',
    sort: heatmapSorts.find((sort) => sort === search.get('sort')) ?? 'name',
    cell: test ? { test, group: search.get('group') ?? '' } : null,
  }
}

/** Lifts every filter; the grouping and the way it is shown stay. */
export const clearedFilters = Object.fromEntries(
  ['version', ...chartFilters.map(({ param }) => param), 'full_pass_only', 'include_test_aware', 'test_search'].map(
    (param) => [param, null],
  ),
)

export const isFiltered = ({ groupBy: _groupBy, ...filters }: HeatmapParameters) =>
  Object.values(filters).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))

/** The filters of the runs list that pick one group's runs; null when the list has no such filter. */
export function groupRunFilters(groupBy: ChartGroupBy, group: string): Record<string, string> | null {
  return group === '' || groupBy === 'agent_mode' ? null : { [groupBy]: group }
}
