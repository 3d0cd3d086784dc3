import type { ChartKind, ChartParameters, ResultView } from '#contract/charts.ts'
import type { Context } from '#platform/context/context.ts'
import { listChartPoints } from './chart-points.ts'
import { type ChartPage, readPage } from './chart-page.ts'
import type { ChartScope } from './chart-scope.ts'
import { listChartRuns } from './chart-runs.ts'
import { listHeatmapRuns } from './heatmap-runs.ts'
import { summarizeHeatmap } from './heatmap-summary.ts'
import { summarizeMetric } from './metric-summary.ts'
import { readParameters } from './read-parameters.ts'
import { type ChartView, readView } from './read-view.ts'
import { resolveVersion } from './resolve-version.ts'
import { summarizeScatter } from './scatter-summary.ts'

/** A chart request of POST /insights/{ref}/execute, with the fields of its body. */
export type ChartRequest = {
  chart: { experimentId: string; kind: ChartKind }
  parameters?: Record<string, unknown> | undefined
  resultView: ResultView
  groupValue?: string | undefined
  testName?: string | undefined
  cursor?: string | undefined
}

/**
 * `chartDataJson` of one built-in chart over every finished run. contract/charts.ts has the summaries,
 * contract/chart-runs.ts the pages.
 * Errors: `not_found` for the experiment; `invalid_argument` for parameters, views and cursors that the chart lacks;
 * `unavailable` when the engine is.
 */
export async function executeChart(context: Context, { chart, parameters, ...sent }: ChartRequest): Promise<string> {
  const view = readView(chart.kind, sent)
  if (chart.kind === 'tests') {
    const { scope, page } = await settle(context, { chart, view, parameters: readParameters('tests', parameters) })
    if (view.view !== 'runs') return summarizeHeatmap(context, scope)
    return JSON.stringify(await listHeatmapRuns(context, scope, view, page))
  }
  if (chart.kind === 'scatter') {
    const { scope, page } = await settle(context, { chart, view, parameters: readParameters('scatter', parameters) })
    return JSON.stringify(
      await (view.view === 'summary' ? summarizeScatter(context, scope) : listPage(context, scope, view, page)),
    )
  }
  const { scope, page } = await settle(context, { chart, view, parameters: readParameters('metric', parameters) })
  return JSON.stringify(
    await (view.view === 'summary' ? summarizeMetric(context, scope) : listPage(context, scope, view, page)),
  )
}

type Asked<Parameters> = { chart: ChartRequest['chart']; view: ChartView; parameters: Parameters }

/** Resolves the version and the start of the page. */
async function settle<Parameters extends ChartParameters>(
  context: Context,
  { chart, view: { cursor, ...view }, parameters }: Asked<Parameters>,
) {
  const page = readPage(cursor, ['chart', context.organization.id, chart, view, parameters])
  const version = await resolveVersion(context, chart.experimentId, page.version ?? parameters.version)
  return {
    page,
    scope: { ...parameters, organizationId: context.organization.id, experimentId: chart.experimentId, version },
  }
}

const listPage = (context: Context, scope: ChartScope, view: ChartView, page: ChartPage) =>
  view.view === 'runs' ? listChartRuns(context, scope, view, page) : listChartPoints(context, scope, page)
