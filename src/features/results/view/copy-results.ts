import { type ChartKind, chartReference } from '#contract/chart-kinds.ts'
import { type ChartParameters, type MetricParameters } from '#contract/charts.ts'
import { executeInsight } from '#contract/insights.ts'
import { queryExperiment } from '#contract/queries.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from '#src/api/call.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { variantsSql } from '#src/shared/copy-as/chart-sql.ts'
import { curlOf } from '#src/shared/copy-as/curl-of.ts'
import { selectorOf } from '#src/shared/copy-as/selector-of.ts'
import type { ChartScope, ChartPart } from '#src/shared/copy-as/sql-parts.ts'

type Rest = { resultView?: 'summary' | 'points' | 'runs'; groupValue?: string; testName?: string }

/** The API call of a chart as curl. */
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

/** The API call of an SQL statement as curl. */
export const statementCurl = (id: string, sql: string, { includeTestAware }: ChartParameters) =>
  curlOf(queryExperiment, { id, sql, includeTestAware, limit: limits.queryRows.max }, currentOrganizationId())

/** The shown variants for a submission. Copying the filters instead would submit the union of the axes. */
export async function shownVariants(id: string, scope: ChartScope, part: ChartPart) {
  const sql = variantsSql(scope, part)
  const { includeTestAware } = scope.parameters
  const { rows } = await call(queryExperiment, { id, sql, includeTestAware, limit: limits.queryRows.max })
  return selectorOf({
    version: scope.version === 'all' ? undefined : scope.version,
    variantIds: rows.map(([variantId]) => String(variantId)),
  })
}
