import type { ChartMeasure, MetricGroup } from '#contract/charts.ts'
import { ScoreMeasure } from '#contract/scores.ts'
import type { Scale } from '#src/charts/axis-scale.ts'

const rateMetrics = ['solved', 'passRate', 'toolFailureRate'] as const
export type RateMetric = (typeof rateMetrics)[number] | ScoreMeasure

/** Rates and scores are drawn with their interval; times, costs and counts as boxes with their runs. */
export const rateOfMetric = (metric: ChartMeasure): RateMetric | null =>
  ScoreMeasure.safeParse(metric).data ?? rateMetrics.find((rate) => rate === metric) ?? null

const orders = ['value', 'name'] as const
export type MetricOrder = (typeof orders)[number]

/** Null where the values choose the scale. */
export type MetricState = { order: MetricOrder; scale: Scale | null }

const scales = ['linear', 'log'] as const

export const readMetricState = (search: URLSearchParams): MetricState => ({
  order: orders.find((order) => order === search.get('order')) ?? 'value',
  scale: scales.find((scale) => scale === search.get('scale')) ?? null,
})

/** More than two decades do not fit a linear axis: the smallest values would all be at its start. */
const linearUpTo = 100

/** The scale that suits the values. Zero has no place on a logarithmic axis, so values with zeros stay linear. */
export function scaleOfValues(groups: readonly Pick<MetricGroup, 'min' | 'max'>[]): Scale {
  const [least, most] = groups.reduce(
    ([low, high], { min, max }) => [Math.min(low, min ?? Infinity), Math.max(high, max ?? 0)],
    [Infinity, 0],
  )
  return least > 0 && most > least * linearUpTo ? 'log' : 'linear'
}
