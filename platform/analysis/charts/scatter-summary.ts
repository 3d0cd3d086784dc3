import { axisExpression, groupExpression } from '#contract/chart-columns.ts'
import { EfficiencyMetric, type ScatterParameters, type ScatterSummary } from '#contract/charts.ts'
import { findTaskIn, type PromptTasks } from '#contract/prompt-tasks.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { type ChartScope, shownScope } from './chart-scope.ts'
import { tasksOfChart } from './tasks-of-chart.ts'
import { countGroups, populationOf } from './count-groups.ts'
import {
  askedScore,
  covariancesOf,
  distributions,
  metricExpressions,
  promptCovariancesOf,
  promptMeansOf,
  promptPairsOf,
} from './metric-columns.ts'
import { covarianceOverTasks } from '#statistics/covariance-over-tasks.ts'

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
  const promptTasks = await tasksOfChart(context, chart)
  const ask = (sql: string) => context.analytics.query(context.organization.id, sql, options)
  const qualities = ['passRate', 'solved', ...(score ? (['score'] as const) : [])] as const
  const askedPrompts =
    promptTasks.length === 0
      ? (ask(overPrompts(runs, qualities)) as Promise<PromptsRow[]>)
      : (ask(ofPrompts(runs, qualities)) as Promise<PairsRow[]>).then((rows) => overTasks(rows, qualities, promptTasks))
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
    askedPrompts,
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

type Qualities = readonly ('passRate' | 'solved' | 'score')[]

const meansOfPrompts = (runs: string, qualities: Qualities) =>
  `SELECT group, promptId, ${qualities.map(promptMeansOf).join(', ')} FROM (${runs}) GROUP BY group, promptId`

/** How the means of a group's prompts vary together. */
const overPrompts = (runs: string, qualities: Qualities) =>
  `SELECT group, ${qualities.map((quality) => `${promptCovariancesOf(quality)} AS ${quality}`).join(', ')}
     FROM (${meansOfPrompts(runs, qualities)}) GROUP BY group`

const ofPrompts = (runs: string, qualities: Qualities) =>
  `SELECT group, promptId AS prompt, ${qualities.map((quality) => `${promptPairsOf(quality)} AS ${quality}`).join(', ')}
     FROM (${meansOfPrompts(runs, qualities)}) ORDER BY group, prompt`

type Pairs = Record<EfficiencyMetric, { x: number | null; y: number | null }>
type PairsRow = { group: string; prompt: string; passRate: Pairs; solved: Pairs; score?: Pairs }

/** Like `overPrompts`, where the prompts of a task are one cluster. */
function overTasks(rows: readonly PairsRow[], qualities: Qualities, promptTasks: PromptTasks): PromptsRow[] {
  const findTask = findTaskIn(promptTasks)
  const covarianceOf = (own: readonly PairsRow[], quality: Qualities[number], metric: EfficiencyMetric) =>
    covarianceOverTasks(
      own.flatMap((row) => {
        const { x = null, y = null } = row[quality]?.[metric] ?? {}
        return x === null || y === null ? [] : [{ x, y, task: findTask(row.prompt) }]
      }),
    )
  const covariancesOfGroup = (own: readonly PairsRow[], quality: Qualities[number]) =>
    Object.fromEntries(
      EfficiencyMetric.options.map((metric) => [metric, covarianceOf(own, quality, metric)]),
    ) as PromptsRow['solved']
  return [...Map.groupBy(rows, ({ group }) => group)].map(([group, own]) => ({
    group,
    passRate: covariancesOfGroup(own, 'passRate'),
    solved: covariancesOfGroup(own, 'solved'),
    ...(qualities.includes('score') && { score: covariancesOfGroup(own, 'score') }),
  }))
}

const toStatistics = ({ group: _group, ofAll: _ofAll, ...statistics }: StatisticsRow) => statistics
