import { readChartReference } from '#contract/chart-kinds.ts'
import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { executeInsight as endpoint } from '#contract/insights.ts'
import { waitForProjection } from '#platform/analysis/projection/wait-for-projection.ts'
import { executeChart } from '#platform/analysis/charts/execute-chart.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { requireInsight } from './require-insight.ts'

/**
 * POST /insights/{ref}/execute: the data of a built-in chart. Errors: `not_found`; `invalid_argument` for a saved
 * query, which GET executes; those of executeChart.
 */
export async function executeInsight(
  context: Context,
  { ref, ...request }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const chart = readChartReference(ref)
  if (!chart) {
    const { insight } = await requireInsight(context, ref)
    throw invalid(`"${insight.slug}" is a saved query, not a chart. Use GET /insights/${insight.id} to execute it`)
  }
  const scope = { organizationId: context.organization.id, experimentId: chart.experimentId }
  const pendingRuns = await waitForProjection(context, scope)
  const data = await executeChart(context, { ...request, chart })
  return {
    chartKind: chart.kind,
    resultView: request.resultView,
    ...data,
    ...(pendingRuns > 0 && { pendingRuns }),
  }
}
