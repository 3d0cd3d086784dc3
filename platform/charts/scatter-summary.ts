import { groupExpression } from '#contract/chart-columns.ts'
import type { ScatterParameters, ScatterSummary } from '#contract/charts.ts'
import type { Context } from '#platform/context/context.ts'
import { type ChartScope, shownScope } from './chart-scope.ts'
import { countGroups, populationOf } from './count-groups.ts'
import { askedScore, covariancesOf, distributions, metricExpressions } from './metric-columns.ts'

const [covariances, solvedCovariances] = [covariancesOf('passRate'), covariancesOf('solved')]

type StatisticsRow = ScatterSummary['groups'][number] & { ofAll: 0 | 1 }

/** Statistics of every metric, and of each quality metric and score against each efficiency metric, per group and over all groups. */
export async function summarizeScatter(
  context: Context,
  chart: ChartScope & Pick<ScatterParameters, 'quality'>,
): Promise<ScatterSummary> {
  const { condition, parameters } = shownScope(chart)
  const score = askedScore(chart)
  const statistics = context.analytics.query(
    context.organization.id,
    `SELECT grouping(group) AS ofAll, group, toUInt32(count()) AS runs, ${distributions} AS metrics,
       ${covariances} AS covariances, ${solvedCovariances} AS solvedCovariances
       ${score ? `, ${covariancesOf('score')} AS scoreCovariances` : ''}
     FROM (SELECT ${groupExpression(chart.groupBy)} AS group, ${metricExpressions}${score ? `, ${score.expression} AS score` : ''} FROM runs FINAL WHERE ${condition})
     GROUP BY GROUPING SETS ((group), ()) ORDER BY group`,
    { parameters: { ...parameters, ...score?.parameters } },
  )
  const [rows, population] = await Promise.all([statistics as Promise<StatisticsRow[]>, countGroups(context, chart)])
  const totals = rows.find(({ ofAll }) => ofAll === 1)
  if (!totals) throw new Error('The engine returned no totals')
  return {
    ...populationOf(population),
    groups: rows.filter(({ ofAll }) => ofAll === 0).map((row) => ({ group: row.group, ...toStatistics(row) })),
    totals: toStatistics(totals),
  }
}

const toStatistics = ({ group: _group, ofAll: _ofAll, ...statistics }: StatisticsRow) => statistics
