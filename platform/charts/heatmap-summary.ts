import type { HeatmapCell, HeatmapSummary } from '#contract/charts.ts'
import { outcomes } from '#contract/outcomes.ts'
import type { Context } from '#platform/context.ts'
import { type HeatmapScope, allVersions, groupExpression, testScope } from './chart-scope.ts'
import { countGroups } from './count-groups.ts'

type CountRow = HeatmapCell & { ofTest: 0 | 1; flakyVariants: number }

const countsOfOutcomes = outcomes.map((outcome) => `countIf(outcome = '${outcome}') AS ${outcome}Count`).join(', ')

/** UInt32, because the engine writes 64-bit numbers as text. */
const sumsOfOutcomes = outcomes.map((outcome) => `toUInt32(sum(${outcome}Count)) AS ${outcome}`).join(', ')

/**
 * The heatmap's groups, its cells, one per group and test that met, and its tests; counts cover the whole filtered
 * population. Whether a test is flaky is asked within one variant of one version, whatever the groups are.
 */
export async function summarizeHeatmap(context: Context, chart: HeatmapScope): Promise<HeatmapSummary> {
  const { condition, parameters } = testScope(chart)
  const counts = context.analytics.query(
    context.organization.id,
    `SELECT grouping(group) AS ofTest, group, test, ${sumsOfOutcomes},
       toUInt32(countIf(passedCount > 0 AND failedCount > 0)) AS flakyVariants
     FROM (
       SELECT ${groupExpression[chart.groupBy]} AS group, test_name AS test, ${countsOfOutcomes}
       FROM tests FINAL WHERE ${condition} GROUP BY ${finestKeys(chart)}
     ) GROUP BY GROUPING SETS ((group, test), (test)) ORDER BY group, test`,
    { parameters },
  )
  const [rows, population] = await Promise.all([counts as Promise<CountRow[]>, countGroups(context, chart)])
  return {
    ...population,
    cells: rows.filter(({ ofTest }) => ofTest === 0).map((row) => ({ group: row.group, ...toTest(row) })),
    tests: rows
      .filter(({ ofTest }) => ofTest === 1)
      .map((row) => ({ ...toTest(row), flaky: row.flakyVariants > 0, flakyVariants: row.flakyVariants })),
  }
}

/** The cells, and the variants of one version within them; every key that repeats another would cost time. */
function finestKeys({ groupBy, version }: HeatmapScope) {
  const keys = ['group', 'test']
  if (groupBy !== 'variant') keys.push('variant_id')
  if (version === allVersions) keys.push('version_fingerprint')
  return keys.join(', ')
}

const toTest = ({ test, passed, failed, unresolved, errored, skipped }: CountRow) => ({
  test,
  passed,
  failed,
  unresolved,
  errored,
  skipped,
})
