import type { ChartGroupBy } from '#contract/charts.ts'
import { axesOfGrouping } from '#contract/grouping-axes.ts'
import type { Axes } from '#contract/variants.ts'
import { defaultGrouping } from '#src/leaderboard/groupings.ts'
import { type TrendMetric, trendMetrics } from '#statistics/leaderboard/trends.ts'

/** The last axis of a trend's grouping. */
export type TrendUnit = 'version' | 'day' | 'week'

export type TrendState = { over: 'version' | 'time'; metric: TrendMetric }

export const readTrendState = (search: URLSearchParams): TrendState => ({
  over: search.get('over') === 'time' ? 'time' : 'version',
  metric: trendMetrics.find((metric) => metric === search.get('metric')) ?? 'solved',
})

const units: readonly string[] = ['version', 'day', 'week'] satisfies TrendUnit[]

/** The grouping of a trend: the axes of the page without those of time, then the unit. */
export function trendGrouping(groupBy: ChartGroupBy, axes: Axes, unit: TrendUnit): ChartGroupBy {
  const own = axesOfGrouping(groupBy).filter((axis) => !units.includes(axis))
  return `${own.length === 0 ? defaultGrouping(axes) : own.join('~')}~${unit}`
}

const dayMs = 24 * 60 * 60 * 1000
const daysOf: Record<Exclude<TrendUnit, 'version'>, number> = { day: 1, week: 7 }

/** Days are shown up to this span, and weeks above. */
const mostDays = 62

/** The unit in which dates are shown. */
export function unitOfSpan(days: readonly string[]): 'day' | 'week' {
  const [first, last] = endsOf(days)
  return last - first > mostDays * dayMs ? 'week' : 'day'
}

/** Every day or week from the first date to the last, so that a pause is as wide as it was long. */
export function fillDates(dates: readonly string[], unit: Exclude<TrendUnit, 'version'>): string[] {
  if (dates.length === 0) return []
  const [first, last] = endsOf(dates)
  const step = daysOf[unit] * dayMs
  return Array.from({ length: Math.round((last - first) / step) + 1 }, (_, place) =>
    new Date(first + place * step).toISOString().slice(0, 10),
  )
}

function endsOf(dates: readonly string[]): [first: number, last: number] {
  const sorted = dates.toSorted()
  return [Date.parse(sorted[0] ?? ''), Date.parse(sorted.at(-1) ?? '')]
}
