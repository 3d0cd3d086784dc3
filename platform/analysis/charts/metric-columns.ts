import { columnOfMetric } from '#contract/chart-columns.ts'
import { type ChartMeasure, ChartMetric, EfficiencyMetric, type QualityMetric } from '#contract/charts.ts'
import { scoreNameOf } from '#contract/score-measures.ts'
import type { ScoreMeasure } from '#contract/scores.ts'

/** One metric as a number, because the engine writes 64-bit integers as text. */
export const metricExpression = (metric: ChartMetric) => `toFloat64(${columnOfMetric[metric]})`

type Asking = { metric?: ChartMeasure | undefined; quality?: ScoreMeasure | undefined }

/** The score that the parameters of a chart name, as SQL with its parameter; null if they name none. */
export function askedScore({ metric, quality }: Asking) {
  const name = scoreNameOf(quality ?? metric)
  return name === null ? null : { expression: 'scores[{scoreName:String}]', parameters: { scoreName: name } }
}

/** The measure that the parameters of a chart name, as SQL with its parameters. */
export function measureExpression(measure: ChartMeasure) {
  const score = askedScore({ metric: measure })
  return score ?? { expression: metricExpression(measure as ChartMetric), parameters: {} }
}

/** Every metric as a column of its name. */
export const metricExpressions = ChartMetric.options
  .map((metric) => `${metricExpression(metric)} AS ${metric}`)
  .join(', ')

const numbers = (...names: string[]) => names.map((name) => `${name} Nullable(Float64)`).join(', ')

/** Named tuples are written as objects and NaN as null, so that rows match the contract's shapes. */
const DistributionType = `Tuple(n UInt32, missing UInt32, ${numbers('mean', 'sd', 'min', 'q1', 'median', 'q3', 'max')})`
const CovarianceType = `Tuple(n UInt32, ${numbers('meanX', 'meanY', 'varianceX', 'varianceY', 'covariance')})`

/** The aggregate for the Distribution of one numeric expression. */
export function distributionOf(value: string) {
  const quartiles = `quantilesExactInclusive(0.25, 0.5, 0.75)(${value})`
  return `CAST(tuple(count(${value}), count() - count(${value}), avg(${value}), stddevSampStable(${value}), min(${value}),
    ${quartiles}[1], ${quartiles}[2], ${quartiles}[3], max(${value})), '${DistributionType}')`
}

/** The aggregate for a Covariance over the rows in which both expressions have a value. */
const covarianceOf = (x: string, y: string) =>
  `CAST(tuple(countIf(${x} IS NOT NULL AND ${y} IS NOT NULL),
    avgIf(${x}, ${y} IS NOT NULL), avgIf(${y}, ${x} IS NOT NULL),
    varSampStableIf(${x}, ${y} IS NOT NULL), varSampStableIf(${y}, ${x} IS NOT NULL),
    covarSampStable(${x}, ${y})), '${CovarianceType}')`

const perName = (names: readonly string[], type: string, aggregate: (name: string) => string) =>
  `CAST(tuple(${names.map((name) => aggregate(name)).join(',\n')}), 'Tuple(${names.map((name) => `${name} ${type}`).join(', ')})')`

/** Over metricExpressions: the distribution of every metric, by its name. */
export const distributions = perName(ChartMetric.options, DistributionType, distributionOf)

type Quality = QualityMetric | 'score'

/** Over metricExpressions: the covariance of a quality metric with every efficiency metric, by the name of the latter. */
export const covariancesOf = (quality: Quality) =>
  perName(EfficiencyMetric.options, CovarianceType, (metric) => covarianceOf(metric, quality))

/** Over metricExpressions, grouped by prompt: the means of both metrics over the runs with both values. */
export const promptMeansOf = (quality: Quality) =>
  EfficiencyMetric.options
    .map((metric) =>
      [
        `avgIf(${metric}, ${quality} IS NOT NULL) AS ${metric}_x_${quality}`,
        `avgIf(${quality}, ${metric} IS NOT NULL) AS ${metric}_y_${quality}`,
      ].join(', '),
    )
    .join(',\n')

/** Over metricExpressions and promptMeansOf: the pairs of means of one prompt, by the name of the efficiency metric. */
export const promptPairsOf = (quality: Quality) =>
  perName(
    EfficiencyMetric.options,
    `Tuple(${numbers('x', 'y')})`,
    (metric) => `tuple(${metric}_x_${quality}, ${metric}_y_${quality})`,
  )

/** Over promptMeansOf: the covariance of these means, by the name of the efficiency metric. */
export const promptCovariancesOf = (quality: Quality) =>
  perName(EfficiencyMetric.options, CovarianceType, (metric) =>
    covarianceOf(`${metric}_x_${quality}`, `${metric}_y_${quality}`),
  )
