import { axisExpression, groupExpression } from '#contract/chart-columns.ts'
import type { ScatterParameters, ScatterSummary } from '#contract/charts.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { type ChartScope, shownScope } from './chart-scope.ts'
import { countGroups, populationOf } from './count-groups.ts'
import {
  askedScore,
  covariancesOf,
  distributions,
  metricExpressions,
  promptCovariancesOf,
  promptMeansOf,
} from './metric-columns.ts'

const [covariances, solvedCovariances] = [covariancesOf('passRate'), covariancesOf('solved')]

type Group = ScatterSummary['groups'][number]
type PromptsRow = { group: string } & NonNullable<Group['overPrompts']>
type StatisticsRow = Omit<Group, 'overPrompts'> & { ofAll: 0 | 1 }

/** Statistics of every metric, and of each quality metric and score against each efficiency metric, per group and over all groups. */
export async function summarizeScatter(
  context: Context,
  chart: ChartScope & Pick<ScatterParameters, 'quality'>,
): Promise<ScatterSummary> {
  const { condition, parameters } = shownScope(chart)
  const score = askedScore(chart)
  const runs = `SELECT ${groupExpression(chart.groupBy)} AS group, ${axisExpression.prompt} AS promptId, ${metricExpressions}
    ${score ? `, ${score.expression} AS score` : ''} FROM runs FINAL WHERE ${condition}`
  const options = { parameters: { ...parameters, ...score?.parameters } }
  const askedPrompts = context.analytics.query(context.organization.id, overPrompts(runs, score !== null), options)
  const askedStatistics = context.analytics.query(
    context.organization.id,
    `SELECT grouping(group) AS ofAll, group, toUInt32(count()) AS runs, ${distributions} AS metrics,
       ${covariances} AS covariances, ${solvedCovariances} AS solvedCovariances
       ${score ? `, ${covariancesOf('score')} AS scoreCovariances` : ''}
     FROM (${runs}) GROUP BY GROUPING SETS ((group), ()) ORDER BY group`,
    options,
  )
  const [rows, means, population] = await Promise.all([
    askedStatistics as Promise<StatisticsRow[]>,
    askedPrompts as Promise<PromptsRow[]>,
    countGroups(context, chart),
  ])
  const totals = rows.find(({ ofAll }) => ofAll === 1)
  if (!totals) throw new Error('The engine returned no totals')
  const promptsOf = new Map(means.map(({ group, ...overPrompts }) => [group, overPrompts]))
  return {
    ...populationOf(population),
    groups: rows
      .filter(({ ofAll }) => ofAll === 0)
      .map((row) => ({
        group: row.group,
        ...toStatistics(row),
        overPrompts: promptsOf.get(row.group),
      })),
    totals: toStatistics(totals),
  }
}

/** How the means of a group's prompts vary together. */
function overPrompts(runs: string, hasScore: boolean) {
  const qualities = ['passRate', 'solved', ...(hasScore ? (['score'] as const) : [])] as const
  const means = qualities.map(promptMeansOf).join(', ')
  return `SELECT group, ${qualities.map((quality) => `${promptCovariancesOf(quality)} AS ${quality}`).join(', ')}
     FROM (SELECT group, promptId, ${means} FROM (${runs}) GROUP BY group, promptId) GROUP BY group`
}

const toStatistics = ({ group: _group, ofAll: _ofAll, ...statistics }: StatisticsRow) => statistics
