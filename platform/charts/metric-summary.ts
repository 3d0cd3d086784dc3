import { groupExpression } from '#contract/chart-columns.ts'
import type { Distribution, MetricGroup, MetricParameters, MetricSummary } from '#contract/charts.ts'
import type { Context } from '#platform/context/context.ts'
import { type ChartScope, shownScope } from './chart-scope.ts'
import { countGroups, populationOf } from './count-groups.ts'
import { distributionOf, measureExpression } from './metric-columns.ts'

type MetricRow = Omit<MetricGroup, keyof Distribution> & { spread: Distribution }

/** The length of the box plot's whiskers beyond the quartiles, in interquartile ranges (Tukey). */
const reach = 1.5

/** The distribution of one metric in each group. */
export async function summarizeMetric(
  context: Context,
  chart: ChartScope & Pick<MetricParameters, 'metric'>,
): Promise<MetricSummary> {
  const { condition, parameters } = shownScope(chart)
  const measure = measureExpression(chart.metric)
  const spreads = context.analytics.query(
    context.organization.id,
    `WITH arrayFilter(
       value -> value BETWEEN spread.q1 - ${reach} * (spread.q3 - spread.q1) AND spread.q3 + ${reach} * (spread.q3 - spread.q1),
       measured) AS near
     SELECT group, runs, spread, if(empty(near), NULL, arrayMin(near)) AS lowerWhisker,
       if(empty(near), NULL, arrayMax(near)) AS upperWhisker, toUInt32(length(measured) - length(near)) AS outliers
     FROM (
       SELECT group, toUInt32(count()) AS runs, ${distributionOf('value')} AS spread, groupArray(value) AS measured
       FROM (
         SELECT ${groupExpression(chart.groupBy)} AS group, ${measure.expression} AS value
         FROM runs FINAL WHERE ${condition}
       ) GROUP BY group
     ) ORDER BY group`,
    { parameters: { ...parameters, ...measure.parameters } },
  )
  const [rows, population] = await Promise.all([spreads as Promise<MetricRow[]>, countGroups(context, chart)])
  return {
    ...populationOf(population),
    metric: chart.metric,
    groups: rows.map(({ spread, ...row }) => ({ ...row, ...spread })),
  }
}
