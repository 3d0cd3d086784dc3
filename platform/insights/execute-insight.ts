import { readChartReference } from '#contract/charts.ts'
import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { executeInsight as endpoint } from '#contract/insights.ts'
import { executeChart } from '#platform/charts/execute-chart.ts'
import type { Context } from '#platform/context.ts'
import { notFound } from '#platform/failure.ts'

/**
 * POST /insights/{ref}/execute: a built-in chart's data; see executeChart for its errors.
 * Errors: `not_found` for a reference that is none of a chart.
 */
export async function executeInsight(
  context: Context,
  { ref, ...request }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const chart = readChartReference(ref)
  if (!chart) throw notFound(`Insight "${ref}" does not exist`)
  const data = await executeChart(context, { ...request, chart })
  return { chartKind: chart.kind, resultView: request.resultView, chartDataJson: JSON.stringify(data) }
}
