import { readChartReference } from '#contract/chart-kinds.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { getInsight as endpoint, InsightView } from '#contract/insights.ts'
import { limits } from '#contract/wire/limit.ts'
import { describeChart } from '#platform/analysis/charts/describe-chart.ts'
import { waitForProjection } from '#platform/analysis/projection/wait-for-projection.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import type { ResultOf } from '#platform/ground/routes/serve.ts'
import { SerializedBody } from '#platform/ground/routes/serialized-body.ts'
import { describePublishedInsight } from '#platform/results/publications/describe-published-insight.ts'
import { runInsightSql } from './insight-sql.ts'
import { refuseLegacy, requireInsight } from './require-insight.ts'
import type { InsightRow } from './store.ts'
import { toChartInsight, toInsight } from './to-insight.ts'

type Input = VerbInput<typeof endpoint>

/**
 * GET /insights/{ref}: a saved query with its live result, or without one for `sql_only`; a chart with its metadata.
 * Errors: `not_found`; `invalid_argument` for a limit on a chart or for invalid SQL; `failed_precondition` for the live
 * result of a legacy insight; `resource_exhausted` and `unavailable` from the SQL engine.
 */
export async function getInsight(context: Context, input: Input): Promise<ResultOf<typeof endpoint>> {
  const chart = readChartReference(input.ref)
  if (!chart) return viewSaved(context, input)
  if (input.limit !== undefined) throw invalid('`limit`: a built-in chart has no rows to limit')
  const { experimentId } = chart
  const pendingRuns = await waitForProjection(context, { organizationId: context.organization.id, experimentId })
  const description = await describeChart(context, chart)
  return {
    insight: { ...toChartInsight(chart.experimentId, chart.kind), ...description },
    ...(pendingRuns > 0 && { pendingRuns }),
  }
}

async function viewSaved(context: Context, input: Input): Promise<ResultOf<typeof endpoint>> {
  const row = await requireInsight(context, input.ref)
  const publication = await describePublishedInsight(context, row.insight)
  const view = { insight: toInsight(context, row), sql: row.insight.sql, ...(publication && { publication }) }
  if (input.sqlOnly) return view
  refuseLegacy(row.insight, 'viewed')
  const pendingRuns = await waitForProjection(context, scopeOf(context, row.insight))
  const asOf = await clockNow(context.db)
  const table = await runInsightSql(context, {
    ...row.insight,
    organizationId: context.organization.id,
    limit: input.limit ?? limits.insightRows.default,
  })
  return new SerializedBody<InsightView>(table, {
    ...view,
    statistics: table.statistics,
    asOf,
    ...(pendingRuns > 0 && { pendingRuns }),
  })
}

/** The scope of runs that a saved query reads. */
const scopeOf = (
  { organization }: Context,
  { experimentId, runId }: Pick<InsightRow['insight'], 'experimentId' | 'runId'>,
) => ({
  organizationId: organization.id,
  ...(experimentId !== null && { experimentId }),
  ...(runId !== null && { runId }),
})
