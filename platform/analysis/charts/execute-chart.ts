import type { ChartKind, ParametersOf } from '#contract/chart-kinds.ts'
import type { ResultView } from '#contract/charts.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { builtInCharts } from './built-in-charts.ts'
import { type ChartData, type ChartPage, readPage } from './chart-page.ts'
import type { Resolved } from './chart-scope.ts'
import { readParameters } from './read-parameters.ts'
import { type ChartView, readView } from './read-view.ts'
import { findUnfinishedPrompts } from './find-unfinished-prompts.ts'
import { findVaryingAxes } from './find-varying-axes.ts'
import { resolveVersion } from './resolve-version.ts'

/** A chart request of POST /insights/{ref}/execute, with the fields of its body. */
export type ChartRequest<Kind extends ChartKind = ChartKind> = {
  chart: { experimentId: string; kind: Kind }
  parameters?: Record<string, unknown> | undefined
  resultView: ResultView
  groupValue?: string | undefined
  testName?: string | undefined
  cursor?: string | undefined
}

/**
 * The data of one built-in chart over every finished run; contract/chart-kinds.ts has its shapes.
 * Errors: `not_found` for the experiment; `invalid_argument` for parameters, views and cursors that the chart lacks;
 * `unavailable` when the engine is.
 */
export async function executeChart<Kind extends ChartKind>(
  context: Context,
  { chart, parameters: sent, ...sentView }: ChartRequest<Kind>,
): Promise<ChartData> {
  const view = readView(chart.kind, sentView)
  const parameters = readParameters(chart.kind, sent)
  const { cursor, ...question } = view
  const page = readPage(cursor, ['chart', context.organization.id, chart, question, parameters])
  const version = await resolveVersion(context, chart.experimentId, page.version ?? parameters.version)
  const ungrouped = {
    ...parameters,
    organizationId: context.organization.id,
    experimentId: chart.experimentId,
    version,
  }
  const endedOnly = parameters.endedPromptsOnly ?? chart.kind === 'leaderboard'
  const unfinished = endedOnly ? await findUnfinishedPrompts(context, ungrouped) : undefined
  const groupBy = parameters.groupBy ?? (await findVaryingAxes(context, ungrouped))
  return read(context, chart.kind, { ...ungrouped, unfinished, groupBy }, view, page)
}

async function read<Kind extends ChartKind>(
  context: Context,
  kind: Kind,
  scope: Resolved<ParametersOf<Kind>>,
  view: ChartView,
  page: ChartPage,
): Promise<ChartData> {
  const { views } = builtInCharts[kind]
  switch (view.view) {
    case 'summary': {
      const data = await views.summary(context, scope)
      return { chartDataJson: typeof data === 'string' ? data : JSON.stringify(data) }
    }
    case 'points':
      if (!views.points) throw new Error(`The contract promises points of ${kind}`)
      return views.points(context, scope, page)
    case 'runs': {
      const data = await views.runs(context, scope, view, page)
      return { chartDataJson: JSON.stringify(data), nextCursor: data.nextCursor }
    }
  }
}
