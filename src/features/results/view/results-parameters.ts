import { ChartKind } from '#contract/chart-kinds.ts'
import { ChartGroupBy, ChartMetric, EfficiencyMetric, HeatmapParameters } from '#contract/charts.ts'
import { type HeatmapSort, heatmapSorts } from '#src/charts/heatmap/heatmap-matrix.ts'

/** The list filters of a chart; in our URLs they have the names of the API's chart parameters. */
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

/** The built-in charts, the heatmap of tests under its own name, and the views that other pages cannot cite. */
const resultsViews = ['heatmap', ...ChartKind.exclude(['tests']).options, 'compare', 'flaky'] as const
export type ResultsView = (typeof resultsViews)[number]

/** Every chart has a table twin. */
export type DisplayMode = 'chart' | 'table'

/** Whose runs the side pane shows; the empty group holds the runs with no recorded value. */
export type SelectedCell = { test: string; group: string }

export type ResultsState = {
  parameters: HeatmapParameters
  view: ResultsView
  as: DisplayMode
  sort: HeatmapSort
  cell: SelectedCell | null
  /** The group whose runs the side pane shows; null when it shows none. */
  group: string | null
  /** Points clicked: the ids of their runs. */
  runUuids: string[]
  /** What quality is weighed against. */
  against: EfficiencyMetric
  metric: ChartMetric
  /** Whether single runs are drawn behind the marks; null where the URL leaves it to the view. */
  showsPoints: boolean | null
}

/** The whole page from its URL; a grouping, view or order it does not know is the default one. */
export function readResultsState(search: URLSearchParams): ResultsState {
  return {
    parameters: readParameters(search),
    view: resultsViews.find((view) => view === search.get('view')) ?? 'heatmap',
    as: search.get('as') === 'table' ? 'table' : 'chart',
    sort: heatmapSorts.find((sort) => sort === search.get('sort')) ?? 'name',
    cell: readSelectedCell(search),
    group: search.get('test') ? null : search.get('group'),
    runUuids: search.getAll('run'),
    against: EfficiencyMetric.safeParse(search.get('against')).data ?? 'costUsd',
    metric: ChartMetric.safeParse(search.get('metric')).data ?? 'costUsd',
    showsPoints: search.has('points') ? search.get('points') === 'true' : null,
  }
}

/** In older links, `group` beside `test` is the group of the cell. */
export function readSelectedCell(search: URLSearchParams): SelectedCell | null {
  const test = search.get('test')
  return test ? { test, group: search.get('test_group') ?? search.get('group') ?? '' } : null
}

function readParameters(search: URLSearchParams) {
  return HeatmapParameters.parse({
    groupBy: ChartGroupBy.safeParse(search.get('group_by')).data,
    version: search.get('version') || undefined,
    ...Object.fromEntries(chartFilters.map(({ name, param }) => [name, search.getAll(param)])),
    fullPassOnly: search.get('full_pass_only') === 'true',
    includeTestAware: search.get('include_test_aware') === 'true',
    testSearch: search.get('test_search') ?? '',
  })
}

/** Closes whichever side pane is open. */
export const closedPane = { test: null, test_group: null, group: null, run: null, cell: null }

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

/** What charts other than the heatmap take: it alone searches tests. */
export const withoutTestSearch = ({ testSearch: _testSearch, ...parameters }: HeatmapParameters) => parameters
