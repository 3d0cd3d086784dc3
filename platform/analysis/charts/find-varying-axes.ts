import { axisExpression } from '#contract/chart-columns.ts'
import { type ChartAxis, type ChartGroupBy, ChartGroupBy as Grouping } from '#contract/charts.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { type ChartScope, shownScope } from './chart-scope.ts'

/**
 * The axes that tell groups apart. The prompt is the task that all groups share, and so is the environment where no prompt
 * has runs in two.
 */
const candidates = ['agent', 'agent_mode', 'model', 'product', 'environment'] as const satisfies ChartAxis[]

/** The grouping by every axis but those of the task on which the runs of a chart differ, or by agent if they differ on none. */
export async function findVaryingAxes(
  { analytics, organization }: Context,
  chart: Omit<ChartScope, 'groupBy'>,
): Promise<ChartGroupBy> {
  const { condition, parameters } = shownScope(chart)
  const distinct = candidates.map((axis) => `toUInt32(uniqExact(${axisExpression[axis]})) AS ${axis}Values`)
  const ofOnePrompt = `SELECT uniqExact(${axisExpression.environment}) AS places FROM runs FINAL WHERE ${condition} GROUP BY ${axisExpression.prompt}`
  const [row] = await analytics.query(
    organization.id,
    `SELECT ${distinct.join(', ')}, (SELECT toUInt32(max(places)) FROM (${ofOnePrompt})) AS environmentsOfOnePrompt
    FROM runs FINAL WHERE ${condition}`,
    { parameters },
  )
  const isOfTask = (axis: ChartAxis) => axis === 'environment' && Number(row?.['environmentsOfOnePrompt'] ?? 0) <= 1
  const varying = candidates.filter((axis) => Number(row?.[`${axis}Values`] ?? 0) > 1 && !isOfTask(axis))
  return Grouping.parse(varying.join('~') || 'agent')
}
