import type { ChartPoints } from '#contract/chart-runs.ts'
import { ChartMetric } from '#contract/charts.ts'
import { limits } from '#contract/wire/limit.ts'
import { hashOfRunId } from '#contract/wire/run-id.ts'
import type { Context } from '#platform/context/context.ts'
import { type ChartPage, toEndedAt } from './chart-page.ts'
import type { ChartScope } from './chart-scope.ts'
import { type RunRow, listShownRuns } from './list-shown-runs.ts'

/** A page of one point per run, by column. Values that runs share are written once. */
export async function listChartPoints(context: Context, chart: ChartScope, page: ChartPage): Promise<ChartPoints> {
  const { rows, total, nextCursor } = await listShownRuns(context, chart, { limit: limits.chartPoints.max, page })
  const variants = distinctValues((row: RunRow) => JSON.stringify(toVariant(row)), toVariant)
  const versions = distinctValues(
    (row: RunRow) => row.versionFingerprint,
    (row) => ({ fingerprint: row.versionFingerprint, ordinal: row.versionOrdinal }),
  )
  const requests = distinctValues(
    (row: RunRow) => row.runRequestId,
    (row) => row.runRequestId,
  )
  const metrics = ChartMetric.options.map((metric) => [metric, rows.map((row) => row[metric])] as const)
  const columns = {
    runUuid: rows.map((row) => row.runUuid),
    hash: rows.map((row) => hashOfRunId(row.id)),
    variant: rows.map(variants.placeOf),
    version: rows.map(versions.placeOf),
    request: rows.map(requests.placeOf),
    repeat: rows.map((row) => row.repeat),
    status: rows.map((row) => row.status),
    mock: rows.map((row) => row.mock),
    endedAt: rows.map((row) => toEndedAt(row.endedAtText)),
    metrics: Object.fromEntries(metrics) as Record<ChartMetric, (number | null)[]>,
  }
  return {
    groupBy: chart.groupBy,
    version: chart.version,
    total,
    variants: variants.values,
    versions: versions.values,
    requests: requests.values,
    columns,
    nextCursor,
  }
}

/** Distinct values in order of first appearance, with the index of each. */
function distinctValues<Row, Value>(keyOf: (row: Row) => string, toValue: (row: Row) => Value) {
  const values: Value[] = []
  const placeOfKey = new Map<string, number>()
  const placeOf = (row: Row) => {
    const key = keyOf(row)
    const known = placeOfKey.get(key)
    if (known !== undefined) return known
    placeOfKey.set(key, values.length)
    return values.push(toValue(row)) - 1
  }
  return { values, placeOf }
}

const toVariant = ({ variantId, agent, agentMode, model, product, environment, prompt, group }: RunRow) => ({
  variantId,
  agent,
  agentMode,
  model,
  product,
  environment,
  prompt,
  group,
})
