import { axisExpression, axisOfFilter, chartFilters } from '#contract/chart-columns.ts'
import { z } from 'zod'

import { type ChartKind, charts } from '#contract/chart-kinds.ts'
import { ChartMetric, singleGroupings } from '#contract/charts.ts'
import { measureOfScore } from '#contract/score-measures.ts'
import { toSnakeCaseFields } from '#contract/wire/field-names.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { listVersions } from '#platform/inputs/experiments/list-versions.ts'
import { experimentScope } from './chart-scope.ts'

type ObservedRow = Record<(typeof chartFilters)[number] | 'scores', string[]> & { fingerprint: string; runs: number }

/**
 * Everything that a client needs to request a built-in chart, each as JSON text: the JSON Schema of its parameters, in
 * snake case; the JSON Schema of `chartDataJson`, one titled alternative per result view; and the selectable values per
 * parameter: versions and axis values of the experiment's finished runs, with `''` where some runs have none.
 * Errors: `not_found` for the experiment; `unavailable` when the engine is.
 */
export async function describeChart(context: Context, chart: { experimentId: string; kind: ChartKind }) {
  return {
    parameterSchemaJson: JSON.stringify(parameterSchemaOf(chart.kind)),
    responseSchemaJson: JSON.stringify(z.toJSONSchema(responseOf(chart.kind))),
    availableValuesJson: JSON.stringify(await findAvailableValues(context, chart)),
  }
}

const responseOf = (kind: ChartKind) =>
  z.union(Object.entries<z.ZodType>(charts[kind].views).map(([view, shape]) => shape.meta({ title: view })))

function parameterSchemaOf(kind: ChartKind) {
  const schema = z.toJSONSchema(charts[kind].parameters, { io: 'input' })
  return { ...schema, properties: toSnakeCaseFields(schema.properties ?? {}) }
}

async function findAvailableValues(
  context: Context,
  { experimentId, kind }: { experimentId: string; kind: ChartKind },
) {
  const { versions } = await listVersions(context, { id: experimentId })
  const { condition, parameters } = experimentScope({ organizationId: context.organization.id, experimentId })
  const observed = chartFilters
    .map((filter) => `groupUniqArray(${axisExpression[axisOfFilter[filter]]}) AS ${filter}`)
    .join(', ')
  const rows = (await context.analytics.query(
    context.organization.id,
    `SELECT version_fingerprint AS fingerprint, toUInt32(uniqExact(run_id)) AS runs, ${observed},
       groupUniqArrayArray(mapKeys(scores)) AS scores
     FROM runs WHERE ${condition} GROUP BY fingerprint`,
    { parameters },
  )) as ObservedRow[]
  const runsOf = new Map(rows.map((row) => [row.fingerprint, row.runs]))
  const scores = [...new Set(rows.flatMap((row) => row.scores))].sort().map(measureOfScore)
  const valuesOf = (filter: (typeof chartFilters)[number]) => {
    const values = [...new Set(rows.flatMap((row) => row[filter]))].sort()
    return values.some((value) => value !== '') ? values : []
  }
  return toSnakeCaseFields({
    groupBy: singleGroupings,
    version: versions
      .map(({ fingerprint, ordinal }) => ({ fingerprint, ordinal, runs: runsOf.get(fingerprint) ?? 0 }))
      .filter(({ runs }) => runs > 0),
    ...Object.fromEntries(chartFilters.map((filter) => [filter, valuesOf(filter)])),
    ...('metric' in charts[kind].parameters.shape && { metric: [...ChartMetric.options, ...scores] }),
    ...('quality' in charts[kind].parameters.shape && { quality: scores }),
  })
}
