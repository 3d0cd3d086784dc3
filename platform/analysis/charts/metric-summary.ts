import { groupExpression } from '#contract/chart-columns.ts'
import type { Distribution, MetricGroup, MetricParameters, MetricSummary } from '#contract/charts.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { type ChartScope, shownScope } from './chart-scope.ts'
import { countGroups, populationOf } from './count-groups.ts'
import { isAtLeast, isCutExpression, quantileOfTimes, withTimes } from './cut-times.ts'
import { distributionOf, measureExpression, metricExpression } from './metric-columns.ts'

type MetricRow = Omit<MetricGroup, keyof Distribution | 'cut'> & { spread: Distribution }
type CutRow = { group: string } & NonNullable<MetricGroup['cut']>

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
  const cutTimes = chart.metric === 'wallSeconds' ? findCutTimes(context, chart) : []
  const [rows, cuts, population] = await Promise.all([
    spreads as Promise<MetricRow[]>,
    cutTimes,
    countGroups(context, chart),
  ])
  const cutOf = new Map(cuts.map(({ group, ...cut }) => [group, cut]))
  return {
    ...populationOf(population),
    metric: chart.metric,
    groups: rows.map(({ spread, ...row }) => {
      const cut = cutOf.get(row.group)
      return { ...row, ...spread, ...(cut && { cut }) }
    }),
  }
}

/** The groups with runs that a time limit or a person ended. */
async function findCutTimes({ analytics, organization }: Context, chart: ChartScope): Promise<CutRow[]> {
  const { condition, parameters } = shownScope(chart)
  const rows = await analytics.query(
    organization.id,
    `${withTimes} SELECT group, toUInt32(countIf(isCut AND wall IS NOT NULL)) AS runs,
       ${quantileOfTimes(0.5)} AS median, ${isAtLeast(0.5)}::Bool AS medianIsAtLeast
     FROM (
       SELECT ${groupExpression(chart.groupBy)} AS group, ${metricExpression('wallSeconds')} AS wall,
         ${isCutExpression} AS isCut
       FROM runs FINAL WHERE ${condition}
     ) GROUP BY group HAVING runs > 0`,
    { parameters },
  )
  return rows as CutRow[]
}
