import { type ChartKind, HeatmapParameters, type ResultView } from '#contract/charts.ts'
import { toCamelCaseFields } from '#contract/wire/field-names.ts'
import type { Context } from '#platform/context.ts'
import { invalid, notFound } from '#platform/failure.ts'
import { listHeatmapRuns } from './heatmap-runs.ts'
import { summarizeHeatmap } from './heatmap-summary.ts'
import { resolveVersion } from './resolve-version.ts'

/** A misspelled parameter would silently widen the population, so unknown names are refused. */
const Parameters = HeatmapParameters.strict()

/** One chart's data as POST /insights/{ref}/execute asks for it; fields as in its body. */
export type ChartRequest = {
  chart: { experimentId: string; kind: ChartKind }
  parameters?: Record<string, unknown> | undefined
  resultView: ResultView
  groupValue?: string | undefined
  testName?: string | undefined
  cursor?: string | undefined
}

/**
 * The data of one built-in chart, to be sent as `chartDataJson`: `summary` and `runs` views over every finished run.
 * Errors: `not_found` for the experiment, `invalid_argument` for parameters, `points` of a heatmap, a `runs` view
 * without `group_value` and `test_name`, or a foreign cursor; `unavailable` when the engine is.
 */
export async function executeChart(context: Context, input: ChartRequest) {
  const { chart } = input
  if (chart.kind !== 'tests') throw notFound(`The chart kind "${chart.kind}" is not available yet`)
  const { version: reference, ...parameters } = readParameters(input.parameters)
  const guarded = guardView(input)
  const version = await resolveVersion(context, chart.experimentId, reference)
  const scoped = { ...parameters, experimentId: chart.experimentId, version }
  return guarded ? listHeatmapRuns(context, scoped, guarded) : summarizeHeatmap(context, scoped)
}

function readParameters(parameters: unknown) {
  const parsed = Parameters.safeParse(toCamelCaseFields(parameters ?? {}))
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: ['parameters', ...path].join('.'), message }))
  throw invalid(
    `Invalid chart parameters: ${issues.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
    issues,
  )
}

/** The cell a `runs` view asks for, or null for a summary. */
function guardView({ resultView, groupValue, testName, cursor }: ChartRequest) {
  if (resultView === 'points') throw invalid('A heatmap has the result views summary and runs; it has no points')
  if (resultView === 'summary') {
    if (cursor) throw invalid('cursor belongs to result_view runs')
    return null
  }
  if (groupValue === undefined) throw invalid('group_value is required for result_view runs')
  if (!testName) throw invalid('test_name is required for result_view runs of a heatmap')
  return { groupValue, testName, cursor }
}
