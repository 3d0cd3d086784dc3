import { type ChartKind, chartReference, charts, type SummaryOf } from '#contract/chart-kinds.ts'
import { type ChartRun, ChartPoints, pointAt } from '#contract/chart-runs.ts'
import { executeInsight } from '#contract/insights.ts'
import { findTaskIn } from '#contract/prompt-tasks.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'

type Parameters = Record<string, unknown>

/** The summary of a built-in chart, and how many ended runs it does not have yet. */
export async function readSummary<Kind extends ChartKind>(
  caller: ApiCaller,
  chart: { experimentId: string; kind: Kind; parameters: Parameters },
): Promise<SummaryOf<Kind> & { pendingRuns: number }> {
  const { experimentId, kind, parameters } = chart
  const answer = await caller.call(executeInsight, { ref: chartReference(experimentId, kind), parameters })
  const summary = charts[kind].views.summary.parse(JSON.parse(answer.chartDataJson)) as SummaryOf<Kind>
  return { ...summary, pendingRuns: answer.pendingRuns ?? 0 }
}

/** Every run that a comparison needs, page after page. */
export async function readPoints(caller: ApiCaller, experimentId: string, parameters: Parameters): Promise<ChartRun[]> {
  const runs: ChartRun[] = []
  let cursor: string | null | undefined
  do {
    const input = { ref: chartReference(experimentId, 'scatter'), parameters, resultView: 'points' as const }
    const answer = await caller.call(executeInsight, { ...input, ...(cursor && { cursor }) })
    const page = ChartPoints.parse(JSON.parse(answer.chartDataJson))
    const findTask = findTaskIn(page.promptTasks)
    for (let place = 0; place < page.columns.runUuid.length; place += 1) {
      const run = pointAt(page, place)
      const task = run && findTask(run.prompt)
      if (run) runs.push(task === undefined || task === null ? run : { ...run, task })
    }
    cursor = page.nextCursor
  } while (cursor)
  return runs
}
