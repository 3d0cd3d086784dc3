import { groupExpression } from '#contract/chart-columns.ts'
import type { HeatmapSummary, HeatmapTest } from '#contract/charts.ts'
import { outcomes } from '#contract/outcomes.ts'
import { readRows } from '#platform/analysis/analytics/rows-as-json.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { type HeatmapScope, allVersions, testScope } from './chart-scope.ts'
import { countGroups } from './count-groups.ts'

type TestRow = Omit<HeatmapTest, 'flaky'>

/** The start of a cell's row. The engine escapes quotes within a name, so no name can contain it. */
const beforeCell = '{"ofTest":0,"flakyVariants":0,'

const countsOfOutcomes = outcomes.map((outcome) => `countIf(outcome = '${outcome}') AS ${outcome}Count`).join(', ')

/** UInt32, because the engine writes 64-bit numbers as text. */
const sumsOfOutcomes = outcomes.map((outcome) => `toUInt32(sum(${outcome}Count)) AS ${outcome}`).join(', ')

/**
 * HeatmapSummary as JSON: the groups, the cells (one per group and test with runs) and the tests. Counts cover the
 * whole filtered population. A test's flakiness is computed within one variant of one version, whatever the groups. The
 * cells are the engine's own text: parsing and writing tens of thousands would cost more than counting them.
 */
export async function summarizeHeatmap(context: Context, chart: HeatmapScope): Promise<string> {
  const { condition, parameters } = testScope(chart)
  const counts = context.analytics.queryText(
    context.organization.id,
    `SELECT grouping(group) AS ofTest,
       if(ofTest = 1, toUInt32(countIf(passedCount > 0 AND failedCount > 0)), 0) AS flakyVariants,
       group, test, ${sumsOfOutcomes}
     FROM (
       SELECT ${groupExpression(chart.groupBy)} AS group, test_name AS test, ${countsOfOutcomes}
       FROM tests FINAL WHERE ${condition} GROUP BY ${finestKeys(chart)}
     ) GROUP BY GROUPING SETS ((group, test), (test)) ORDER BY ofTest, group, test`,
    { parameters },
  )
  const [text, population] = await Promise.all([counts, countGroups(context, chart)])
  const endOfCells = text.indexOf('{"ofTest":1')
  const cells = text.slice(0, Math.max(0, endOfCells - 1))
  const tests = readRows(text.slice(endOfCells)) as TestRow[]
  const rest: Omit<HeatmapSummary, 'cells'> = { ...population, tests: tests.map(toTest) }
  return `${JSON.stringify(rest).slice(0, -1)},"cells":[${cells.replaceAll(beforeCell, '{').replaceAll('\n', ',')}]}`
}

/** The cells, grouped within each variant of one version. Every redundant key would cost time. */
function finestKeys({ groupBy, version }: HeatmapScope) {
  const keys = ['group', 'test']
  if (groupBy !== 'variant') keys.push('variant_id')
  if (version === allVersions) keys.push('version_fingerprint')
  return keys.join(', ')
}

const toTest = ({ test, passed, failed, unresolved, errored, skipped, flakyVariants }: TestRow): HeatmapTest => ({
  test,
  passed,
  failed,
  unresolved,
  errored,
  skipped,
  flaky: flakyVariants > 0,
  flakyVariants,
})
