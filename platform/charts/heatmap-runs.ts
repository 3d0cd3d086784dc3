import { z } from 'zod'

import { HeatmapRun, type HeatmapRuns } from '#contract/charts.ts'
import { limits } from '#contract/wire/limit.ts'
import { encodePageToken } from '#contract/wire/page-token.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import type { QueryParameter } from '#platform/analytics/analytics.ts'
import type { Context } from '#platform/context.ts'
import { toInstant } from '#platform/database/columns.ts'
import { readPageToken } from '#platform/http/read-page-token.ts'
import { type HeatmapScope, groupExpression, testScope } from './chart-scope.ts'

/** The cell asked for and where its page begins. */
export type HeatmapCellQuery = { groupValue: string; testName: string; cursor: string | undefined }

/** As the engine writes it; a moment that is none would be an error of the engine's instead of the caller's. */
const Moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/)
  .refine((text) => Timestamp.safeParse(`${text.replace(' ', 'T')}Z`).success)

/** The last row of a page: when its run ended, the run, the test's place in it. */
const Position = z.tuple([Moment, z.uuid(), z.int().min(0)])

type RunRow = Omit<HeatmapRun, 'endedAt'> & { endedAtText: string; ordinal: number }

const columns = `id, toString(run_id) AS runId, toString(run_request_id) AS runRequestId, variant_id AS variantId, agent,
  agent_mode AS agentMode, model, product, environment, prompt, repeat, toString(outcome) AS outcome,
  duration_ms AS durationMs, toString(ended_at) AS endedAtText, ordinal`

/**
 * The runs behind one cell, last ended first. Pages continue after a row, not at an offset, so none repeats or is skipped
 * while new runs end. Errors: `invalid_argument` for a cursor this list did not give.
 */
export async function listHeatmapRuns(
  { analytics, organization }: Context,
  chart: HeatmapScope,
  cell: HeatmapCellQuery,
): Promise<HeatmapRuns> {
  const scope = testScope(chart)
  const condition = `${scope.condition} AND test_name = {testName:String}
    AND ${groupExpression[chart.groupBy]} = {groupValue:String}`
  const parameters = { ...scope.parameters, testName: cell.testName, groupValue: cell.groupValue }
  const after = readCursor(cell.cursor)
  const rows = await analytics.query(
    organization.id,
    `SELECT ${columns} FROM tests FINAL WHERE ${condition}${after.condition}
     ORDER BY ended_at DESC, run_id DESC, ordinal DESC LIMIT ${limits.chartRuns.max + 1}`,
    { parameters: { ...parameters, ...after.parameters } },
  )
  const [count] = await analytics.query(
    organization.id,
    `SELECT toUInt32(count()) AS total FROM tests FINAL WHERE ${condition}`,
    { parameters },
  )
  const page = (rows as RunRow[]).slice(0, limits.chartRuns.max)
  const last = rows.length > page.length ? page.at(-1) : undefined
  return {
    groupBy: chart.groupBy,
    groupValue: cell.groupValue,
    testName: cell.testName,
    total: Number(count?.['total'] ?? 0),
    runs: page.map((row) => HeatmapRun.parse({ ...row, endedAt: `${toInstant(row.endedAtText)}Z` })),
    nextCursor: last ? encodePageToken([last.endedAtText, last.runId, last.ordinal]) : null,
  }
}

function readCursor(cursor: string | undefined): { condition: string; parameters: Record<string, QueryParameter> } {
  const position = readPageToken(cursor, Position, 'cursor')
  if (!position) return { condition: '', parameters: {} }
  const [endedAt, runId, ordinal] = position
  return {
    condition: ` AND (ended_at, run_id, ordinal)
      < (toDateTime64({afterEndedAt:String}, 6, 'UTC'), toUUID({afterRunId:String}), {afterOrdinal:UInt32})`,
    parameters: { afterEndedAt: endedAt, afterRunId: runId, afterOrdinal: ordinal },
  }
}
