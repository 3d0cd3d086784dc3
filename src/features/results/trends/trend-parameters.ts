import type { ChartGroupBy } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { axesOfGrouping } from '#contract/grouping-axes.ts'
import { ScoreMeasure } from '#contract/scores.ts'
import { closedPane } from '#src/features/results/view/results-parameters.ts'
import { defaultGrouping } from '#src/shared/leaderboard/groupings.ts'
import type { DateUnit } from '#src/shared/leaderboard/trend-dates.ts'
import { changeQuery } from '#src/url/use-query-state.ts'
import type { Flip } from '#statistics/leaderboard/flips.ts'
import { type TrendMetric, trendMetrics } from '#statistics/leaderboard/trends.ts'

/** The last axis of a trend's grouping. */
export type TrendUnit = 'version' | DateUnit

const overs = ['version', 'time'] as const

export type TrendState = { over: 'version' | 'time'; metric: TrendMetric }

/** Without a choice in the URL, `usual` says over what. */
export const readTrendState = (search: URLSearchParams, usual: TrendState['over'] = 'version'): TrendState => ({
  over: overs.find((over) => over === search.get('over')) ?? usual,
  metric:
    ScoreMeasure.safeParse(search.get('metric')).data ??
    trendMetrics.find((metric) => metric === search.get('metric')) ??
    'solved',
})

/** The part of the trend that is shown: `zoom=v3~v9`. */
export function readZoom(search: URLSearchParams) {
  const [from, to] = search.get('zoom')?.split('~') ?? []
  return from === undefined || to === undefined ? null : { from, to }
}

const units: readonly string[] = ['version', 'day', 'week'] satisfies TrendUnit[]

/** The grouping of a trend: the axes of the page without those of time, then the unit. */
export function trendGrouping(
  groupBy: ChartGroupBy,
  experiment: Pick<Experiment, 'axes' | 'variants'>,
  unit: TrendUnit,
): ChartGroupBy {
  const own = axesOfGrouping(groupBy).filter((axis) => !units.includes(axis))
  return `${own.length === 0 ? defaultGrouping(experiment) : own.join('~')}~${unit}`
}

/** The heatmap with the runs in which a test fails, under the filters of the page; `groupBy` is that of the flips. */
export const flipQuery = (search: URLSearchParams, flip: Flip, groupBy: ChartGroupBy) =>
  changeQuery(search, {
    ...closedPane,
    view: 'heatmap',
    group_by: groupBy,
    version: 'all',
    test: flip.test,
    test_group: `${flip.group}~${flip.kind === 'regression' ? flip.version : flip.since}`,
    test_search: flip.test,
    open: null,
  })
