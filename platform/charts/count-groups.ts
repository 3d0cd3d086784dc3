import { groupExpression } from '#contract/chart-columns.ts'
import type { Context } from '#platform/context/context.ts'
import { type ChartScope, runScope } from './chart-scope.ts'

type GroupRow = { group: string; runs: number; testAwareRuns: number }

/** The groups of a chart with their number of runs, and the number of excluded test-aware runs. */
export async function countGroups({ analytics, organization }: Context, chart: ChartScope) {
  const { condition, parameters } = runScope(chart)
  const rows = (await analytics.query(
    organization.id,
    `SELECT ${groupExpression(chart.groupBy)} AS group, toUInt32(countIf(NOT test_aware)) AS runs,
       toUInt32(countIf(test_aware)) AS testAwareRuns
     FROM runs FINAL WHERE ${condition} GROUP BY group ORDER BY group`,
    { parameters },
  )) as GroupRow[]
  const shownRuns = (row: GroupRow) => row.runs + (chart.includeTestAware ? row.testAwareRuns : 0)
  return {
    groupBy: chart.groupBy,
    version: chart.version,
    groups: rows.map((row) => ({ group: row.group, runs: shownRuns(row) })).filter((row) => row.runs > 0),
    excludedTestAwareRuns: chart.includeTestAware ? 0 : rows.reduce((sum, row) => sum + row.testAwareRuns, 0),
  }
}
