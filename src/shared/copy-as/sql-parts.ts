import {
  axisExpression,
  axisOfFilter,
  chartFilters,
  countedCondition,
  groupExpression,
} from '#contract/chart-columns.ts'
import type { ChartAxis, ChartParameters, HeatmapParameters } from '#contract/charts.ts'

/** A string literal in the engine's SQL. */
export const literal = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** A chart's parameters, and the version they resolved to: a fingerprint or `all`. */
export type ChartScope = { parameters: ChartParameters | HeatmapParameters; version: string }

/** A subset of a chart's runs; an empty part means all of them. */
export type ChartPart = {
  /** Of the chart's grouping. */
  groups?: readonly string[]
  /** Fingerprints. */
  versions?: readonly string[]
  /** The values shared by a matched cell; null for runs without a value. */
  axes?: Partial<Record<ChartAxis, string | null>>
  /** UUIDs. */
  runUuids?: readonly string[]
}

const isOneOf = (column: string, values: readonly string[]) =>
  values.length === 1 ? `${column} = ${literal(values[0] ?? '')}` : `${column} IN (${values.map(literal).join(', ')})`

/**
 * The WHERE clause with every condition of a chart's scope, a part and extra conditions; empty if there are none. Failures
 * also have rows of runs that are left out, which do not count anywhere else.
 */
export function where(
  { parameters, version }: ChartScope,
  part: ChartPart = {},
  more: readonly string[] = [],
  { isCounted = true } = {},
) {
  const { groups, versions, axes = {}, runUuids } = part
  const search = 'testSearch' in parameters ? parameters.testSearch : ''
  return whereAll([
    ...(version === 'all' ? [] : [isOneOf('version_fingerprint', [version])]),
    ...chartFilters.flatMap((name) =>
      parameters[name].length === 0 ? [] : [isOneOf(axisExpression[axisOfFilter[name]], parameters[name])],
    ),
    ...(parameters.fullPassOnly ? ['full_pass'] : []),
    ...(parameters.includeTestAware ? [] : ['NOT test_aware']),
    ...(isCounted ? [countedCondition] : []),
    ...(search === '' ? [] : [`positionCaseInsensitiveUTF8(test_name, ${literal(search)}) > 0`]),
    ...(versions ? [isOneOf('version_fingerprint', versions)] : []),
    ...(groups ? [isOneOf(groupExpression(parameters.groupBy), groups)] : []),
    ...(Object.keys(axes) as ChartAxis[]).map((axis) => isOneOf(axisExpression[axis], [axes[axis] ?? ''])),
    ...(runUuids ? [isOneOf('run_id', runUuids)] : []),
    ...more,
  ])
}

const whereAll = (conditions: readonly string[]) =>
  conditions.length === 0 ? '' : `\nWHERE ${conditions.join('\n  AND ')}`
