import { axisExpression } from '#contract/chart-columns.ts'
import { type ChartAxis, type ChartGroupBy, ChartGroupBy as Grouping } from '#contract/charts.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { type ChartScope, shownScope } from './chart-scope.ts'

/** The axes that tell groups apart. The prompt is the task that all groups share. */
const candidates = ['agent', 'agent_mode', 'model', 'product', 'environment'] as const satisfies ChartAxis[]

/** The grouping by every axis but the prompt on which the runs of a chart differ, or by agent if they differ on none. */
export async function findVaryingAxes(
  { analytics, organization }: Context,
  chart: Omit<ChartScope, 'groupBy'>,
): Promise<ChartGroupBy> {
  const { condition, parameters } = shownScope(chart)
  const distinct = candidates.map((axis) => `toUInt32(uniqExact(${axisExpression[axis]})) AS ${axis}Values`)
  const [row] = await analytics.query(
    organization.id,
    `SELECT ${distinct.join(', ')} FROM runs FINAL WHERE ${condition}`,
    { parameters },
  )
  const varying = candidates.filter((axis) => Number(row?.[`${axis}Values`] ?? 0) > 1)
  return Grouping.parse(varying.join('~') || 'agent')
}
