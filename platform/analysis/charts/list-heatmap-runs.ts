import { groupExpression } from '#contract/chart-columns.ts'
import { HeatmapRun, type HeatmapRuns } from '#contract/charts.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { type ChartPage, type LastRow, afterRow, nextCursor, toEndedAt } from './chart-page.ts'
import { type HeatmapScope, experimentScope, testScope } from './chart-scope.ts'

/** The requested cell. */
export type HeatmapCellQuery = { groupValue: string; testName: string }

type RunRow = Omit<HeatmapRun, 'endedAt'> & LastRow

const columns = `id, id AS runId, toString(run_id) AS runUuid, toString(run_request_id) AS runRequestId, variant_id AS variantId, agent,
  agent_mode AS agentMode, model, product, environment, prompt, repeat, toString(outcome) AS outcome,
  duration_ms AS durationMs, toString(ended_at) AS endedAtText, ordinal`

/** The runs of one cell, last ended first. */
export async function listHeatmapRuns(
  { analytics, organization }: Context,
  chart: HeatmapScope,
  { groupValue, testName }: HeatmapCellQuery,
  page: ChartPage,
): Promise<HeatmapRuns> {
  const scope = testScope(chart)
  const condition = `${scope.condition} AND test_name = {testName:String}
    AND ${groupExpression(chart.groupBy)} = {groupValue:String}`
  const parameters = { ...scope.parameters, testName, groupValue }
  const after = afterRow(page.after, 'tests')
  const rows = (await analytics.query(
    organization.id,
    `SELECT ${columns} FROM tests FINAL WHERE ${condition} AND ${after.condition}
     ORDER BY ended_at DESC, run_id DESC, ordinal DESC LIMIT ${limits.chartRuns.max + 1}`,
    { parameters: { ...parameters, ...after.parameters } },
  )) as RunRow[]
  const [count] = await analytics.query(
    organization.id,
    `SELECT toUInt32(count()) AS total FROM tests FINAL WHERE ${condition}`,
    { parameters },
  )
  const runs = rows.slice(0, limits.chartRuns.max)
  const failures = await readFailures({ analytics, organization }, chart, testName, runs)
  return {
    groupBy: chart.groupBy,
    groupValue,
    testName,
    total: Number(count?.['total'] ?? 0),
    runs: runs.map((row) =>
      HeatmapRun.parse({ ...row, endedAt: toEndedAt(row.endedAtText), failure: failures.get(row.runUuid) }),
    ),
    nextCursor: nextCursor(page, chart.version, rows.length > runs.length ? runs.at(-1) : undefined),
  }
}

/** More would push the other runs of a cell off the screen. */
const maxFailureCharacters = 400

/** What the test printed about its failure, by run. */
async function readFailures(
  { analytics, organization }: Pick<Context, 'analytics' | 'organization'>,
  chart: HeatmapScope,
  testName: string,
  runs: readonly RunRow[],
) {
  const failed = runs.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped')
  if (failed.length === 0) return new Map<string, string>()
  const { condition, parameters } = experimentScope(chart)
  const found = (await analytics.query(
    organization.id,
    `SELECT toString(run_id) AS runUuid, argMin(substringUTF8(example, 1, ${maxFailureCharacters}), place) AS failure
     FROM failures FINAL
     WHERE ${condition} AND test_name = {testName:String} AND has({runUuids:Array(String)}, toString(run_id))
     GROUP BY run_id`,
    { parameters: { ...parameters, testName, runUuids: failed.map(({ runUuid }) => runUuid) } },
  )) as { runUuid: string; failure: string }[]
  return new Map(found.map(({ runUuid, failure }) => [runUuid, failure]))
}
