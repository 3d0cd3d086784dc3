import {
  ChartGroupBy,
  ChartMeasure,
  ChartMetric,
  type ChartParameters,
  EfficiencyMetric,
  HeatmapParameters,
  QualityMetric,
  type ScatterParameters,
} from '#contract/charts.ts'
import { ScoreMeasure } from '#contract/scores.ts'
import { axisNamesOf } from '#src/format/axis-names.ts'
import { chartFilters } from '#src/shared/leaderboard/group-runs.ts'
import { paneParts } from '#src/shared/saved-views/saved-view-links.ts'
import { efficiencyMetrics } from './measures.ts'
import { type ResultsView, viewNames } from '#src/shared/figures/view-names.ts'

/** `Agent and model`: what a chart is grouped by. */
export function groupLabelOf(groupBy: ChartGroupBy): string {
  const [first = 'Variant', ...others] = axisNamesOf(groupBy)
  const last = others.pop()?.toLowerCase()
  return last ? `${[first, ...others.map((label) => label.toLowerCase())].join(', ')} and ${last}` : first
}

/** Every chart can be shown as a table. */
export type DisplayMode = 'chart' | 'table'

/** The cell in the side pane. The empty group contains the runs without a recorded value. */
export type SelectedCell = { test: string; group: string }

export type ResultsState = {
  parameters: HeatmapParameters
  view: ResultsView
  as: DisplayMode
  cell: SelectedCell | null
  /** The group in the side pane, or null. */
  group: string | null
  /** Selected points: the ids of their runs. */
  runUuids: string[]
  /** The metric on the Y axis of the scatter plot. */
  quality: QualityMetric | ScoreMeasure
  /** The metric on its X axis. */
  against: EfficiencyMetric
  metric: ChartMeasure
  /** True if the URL does not name the metric of the view, so that the first recorded one is shown. */
  choosesMetric: boolean
  /** True if the view compares versions, and so ignores the version filter and the grouping. */
  comparesVersions: boolean
  /** True if the view shows every version, and so ignores the version filter. */
  showsAllVersions: boolean
  /** Whether single runs are drawn; null uses the view's default. */
  showsPoints: boolean | null
}

const Quality = QualityMetric.or(ScoreMeasure)

/** Reads the page's state from the URL. Unknown values become the default; `grouping` is the default grouping. */
export function readResultsState(search: URLSearchParams, grouping: ChartGroupBy = 'variant'): ResultsState {
  const view = viewNames.find((name) => name === search.get('view')) ?? (search.has('test') ? 'heatmap' : 'leaderboard')
  const comparesVersions = view === 'compare' && search.get('by') === 'version'
  const against = EfficiencyMetric.safeParse(search.get('against')).data
  const metric = ChartMeasure.safeParse(search.get('metric')).data
  return {
    parameters: readParameters(search, grouping),
    view,
    as: search.get('as') === 'table' ? 'table' : 'chart',
    cell: readSelectedCell(search),
    group: search.get('test') ? null : search.get('group'),
    runUuids: search.getAll('run'),
    quality: Quality.safeParse(search.get('quality')).data ?? 'passRate',
    against: against ?? 'costUsd',
    metric: metric ?? 'costUsd',
    choosesMetric: (view === 'metric' && !metric) || (view === 'scatter' && !against),
    comparesVersions,
    showsAllVersions: comparesVersions || view === 'trends',
    showsPoints: search.has('points') ? search.get('points') === 'true' : null,
  }
}

/** In older links, `group` next to `test` is the group of the cell. */
export function readSelectedCell(search: URLSearchParams): SelectedCell | null {
  const test = search.get('test')
  return test ? { test, group: search.get('test_group') ?? search.get('group') ?? '' } : null
}

function readParameters(search: URLSearchParams, grouping: ChartGroupBy) {
  return HeatmapParameters.parse({
    groupBy: ChartGroupBy.safeParse(search.get('group_by')).data ?? grouping,
    version: search.get('version') || undefined,
    ...Object.fromEntries(chartFilters.map(({ name, param }) => [name, search.getAll(param)])),
    fullPassOnly: search.get('full_pass_only') === 'true',
    includeTestAware: search.get('include_test_aware') === 'true',
    testSearch: search.get('test_search') ?? '',
  })
}

/**
 * Whether a view shows only cost, time, tokens or tools. Fully passing runs are chosen by their outcome, so that among
 * them every rate is 100 %.
 */
export const showsAmounts = ({ view, metric }: Pick<ResultsState, 'view' | 'metric'>) =>
  view === 'metric' && EfficiencyMetric.safeParse(metric).success

/** Closes the side pane. */
export const closedPane = Object.fromEntries(paneParts.map((name) => [name, null]))

/** Clears every filter and keeps the grouping and the view. */
export const clearedFilters = Object.fromEntries(
  ['version', ...chartFilters.map(({ param }) => param), 'full_pass_only', 'include_test_aware', 'test_search'].map(
    (param) => [param, null],
  ),
)

/** The filters that the view applies. A view of all versions ignores the version filter. */
export const appliedFilters = ({ parameters, showsAllVersions }: ResultsState): HeatmapParameters =>
  showsAllVersions ? { ...parameters, version: undefined } : parameters

/** The metrics of the Metric view: the API's default first, then the others in the order of the contract. */
export const metricChoices: readonly ChartMetric[] = ['costUsd', ...ChartMetric.exclude(['costUsd']).options]

/** The parameters of charts whose runs are asked for a measure: a score has to be named. */
export const withScore = (parameters: ChartParameters, measure: ChartMeasure): ScatterParameters => {
  const quality = ScoreMeasure.safeParse(measure).data
  return quality === undefined ? parameters : { ...parameters, quality }
}

type Recorded = { metrics: Partial<Record<ChartMetric, { n: number }>> }

/** A plot of a metric with so many values, compared with the metric that has the most, shows nearly every group. */
const mostRuns = 0.8

/** Replaces metrics that the URL does not name by the first that any run, or for a scatterplot nearly all, has recorded. */
export function withRecordedMetrics(state: ResultsState, totals: Recorded | undefined): ResultsState {
  if (!state.choosesMetric || !totals) return state
  const runsWith = (metric: ChartMetric) => totals.metrics[metric]?.n ?? 0
  if (state.view === 'metric')
    return { ...state, metric: metricChoices.find((metric) => runsWith(metric) > 0) ?? state.metric }
  const enough = mostRuns * Math.max(1, ...efficiencyMetrics.map(runsWith))
  return { ...state, against: efficiencyMetrics.find((metric) => runsWith(metric) >= enough) ?? state.against }
}

/** How many filters are used. */
const countFilters = ({ groupBy: _groupBy, ...filters }: HeatmapParameters) =>
  Object.values(filters).filter((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value))).length

export const isFiltered = (parameters: HeatmapParameters) => countFilters(parameters) > 0

/** The parameters of charts other than the heatmap, which have no test search. */
export const withoutTestSearch = ({ testSearch: _testSearch, ...parameters }: HeatmapParameters) => parameters
