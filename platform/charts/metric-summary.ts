import { groupExpression } from '#contract/chart-columns.ts'
import type { Distribution, MetricGroup, MetricParameters, MetricSummary } from '#contract/charts.ts'
import type { Context } from '#platform/context/context.ts'
import { type ChartScope, shownScope } from './chart-scope.ts'
import { countGroups, omissionsOf } from './count-groups.ts'
import { distributionOf, metricExpression } from './metric-columns.ts'

type MetricRow = Omit<MetricGroup, keyof Distribution> & { spread: Distribution }

/** The length of the box plot's whiskers beyond the quartiles, in interquartile ranges (Tukey). */
const reach = 1.5

/** The distribution of one metric in each group. */
export async function summarizeMetric(
  context: Context,
  chart: ChartScope & Pick<MetricParameters, 'metric'>,
): Promise<MetricSummary> {
  const { condition, parameters } = shownScope(chart)
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
         SELECT ${groupExpression(chart.groupBy)} AS group, ${metricExpression(chart.metric)} AS value
         FROM runs FINAL WHERE ${condition}
       ) GROUP BY group
     ) ORDER BY group`,
    { parameters },
  )
  const [rows, population] = await Promise.all([spreads as Promise<MetricRow[]>, countGroups(context, chart)])
  const { groupBy, version } = population
  return {
    groupBy,
    version,
    ...omissionsOf(population),
    metric: chart.metric,
    groups: rows.map(({ spread, ...row }) => ({ ...row, ...spread })),
  }
}
