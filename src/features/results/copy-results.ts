import { type ChartKind, type ChartParameters, chartReference, type MetricParameters } from '#contract/charts.ts'
import { executeInsight } from '#contract/insights.ts'
import { queryExperiment } from '#contract/queries.ts'
import { call } from '#src/api/call.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { type ChartScope, variantsSql } from '#src/copy-as/chart-sql.ts'
import { curlOf } from '#src/copy-as/curl-of.ts'
import { selectorOf } from '#src/copy-as/selector-of.ts'

type Rest = { resultView?: 'summary' | 'points' | 'runs'; groupValue?: string; testName?: string }

/** The call that a chart was drawn from. */
export const chartCurl = (
  experimentId: string,
  kind: ChartKind,
  parameters: ChartParameters | MetricParameters,
  rest: Rest = {},
) =>
  curlOf(
    executeInsight,
    { ref: chartReference(experimentId, kind), parameters, resultView: 'summary', ...rest },
    currentOrganizationId(),
  )

/** The variants behind what is shown, as a submit selects them: its own filters would run the union of the axes. */
export async function shownVariants(id: string, scope: ChartScope, group: string | null) {
  const sql = variantsSql(scope, group)
  const { includeTestAware } = scope.parameters
  const { rows } = await call(queryExperiment, { id, sql, includeTestAware, limit: 10_000 })
  return selectorOf({
    version: scope.version === 'all' ? undefined : scope.version,
    variantIds: rows.map(([variantId]) => String(variantId)),
  })
}
