import type { ChartRun, ChartRuns } from '#contract/chart-runs.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { type ChartPage, toEndedAt } from './chart-page.ts'
import { type AskingScope, type RunRow, listShownRuns } from './list-shown-runs.ts'

/** The runs of one group of a scatterplot or metric comparison, last ended first. */
export async function listChartRuns(
  context: Context,
  chart: AskingScope,
  { groupValue }: { groupValue: string },
  page: ChartPage,
): Promise<ChartRuns> {
  const query = { groupValue, limit: limits.chartRuns.max, page }
  const { rows, total, nextCursor } = await listShownRuns(context, chart, query)
  return { groupBy: chart.groupBy, groupValue, version: chart.version, total, runs: rows.map(toRun), nextCursor }
}

function toRun({ endedAtText, ...row }: RunRow): ChartRun {
  const { solved, passRate, costUsd, wallSeconds, toolCalls, toolFailures, toolFailureRate, ...rest } = row
  const { inputTokens, outputTokens, totalTokens, ...run } = rest
  const efficiency = { costUsd, wallSeconds, toolCalls, toolFailures, inputTokens, outputTokens, totalTokens }
  return { ...run, metrics: { solved, passRate, toolFailureRate, ...efficiency }, endedAt: toEndedAt(endedAtText) }
}
