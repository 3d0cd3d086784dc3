import type { HeatmapCell, HeatmapSummary } from '#contract/charts.ts'
import { outcomes } from '#contract/outcomes.ts'
import type { Context } from '#platform/context.ts'
import { type ChartParameters, groupExpression, runScope, testScope } from './chart-scope.ts'

type GroupRow = { group: string; runs: number; testAwareRuns: number }

/** UInt32, because the engine writes 64-bit numbers as text. */
const outcomeCounts = outcomes.map((outcome) => `toUInt32(countIf(outcome = '${outcome}')) AS ${outcome}`).join(', ')

/** The heatmap's groups and its cells, one per group and test that met; counts cover the whole filtered population. */
export async function summarizeHeatmap(
  { analytics, organization }: Context,
  chart: ChartParameters,
): Promise<HeatmapSummary> {
  const group = groupExpression[chart.groupBy]
  const tests = testScope(chart)
  const cells = await analytics.query(
    organization.id,
    `SELECT ${group} AS group, test_name AS test, ${outcomeCounts} FROM tests FINAL
     WHERE ${tests.condition} GROUP BY group, test ORDER BY group, test`,
    { parameters: tests.parameters },
  )
  const runs = runScope(chart)
  const groups = (await analytics.query(
    organization.id,
    `SELECT ${group} AS group, toUInt32(countIf(NOT test_aware)) AS runs, toUInt32(countIf(test_aware)) AS testAwareRuns
     FROM runs FINAL WHERE ${runs.condition} GROUP BY group ORDER BY group`,
    { parameters: runs.parameters },
  )) as GroupRow[]
  const shownRuns = (row: GroupRow) => row.runs + (chart.includeTestAware ? row.testAwareRuns : 0)
  return {
    groupBy: chart.groupBy,
    version: chart.version,
    groups: groups.map((row) => ({ group: row.group, runs: shownRuns(row) })).filter((row) => row.runs > 0),
    cells: cells as HeatmapCell[],
    excludedTestAwareRuns: chart.includeTestAware ? 0 : groups.reduce((sum, row) => sum + row.testAwareRuns, 0),
  }
}
