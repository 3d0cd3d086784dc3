import type {
  ChartGroupBy,
  ChartMetric,
  ChartParameters,
  EfficiencyMetric,
  HeatmapParameters,
} from '#contract/charts.ts'
import { outcomes } from '#contract/outcomes.ts'

/** A text of the engine's SQL. */
const literal = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** As the charts group: runs without a value stand in ''. */
const groupOf: Record<ChartGroupBy, string> = {
  variant: 'variant_id',
  agent: 'agent',
  agent_mode: "ifNull(agent_mode, '')",
  model: "ifNull(model, '')",
  prompt: "ifNull(prompt, '')",
  environment: "ifNull(environment, '')",
  product: "ifNull(product, '')",
}

const axisOf = {
  agents: 'agent',
  agentModes: 'agent_mode',
  models: 'model',
  products: 'product',
  environments: 'environment',
  promptIds: 'prompt',
} as const satisfies Partial<Record<keyof ChartParameters, ChartGroupBy>>

const columnOf: Record<ChartMetric, string> = {
  passRate: 'pass_rate',
  costUsd: 'cost_usd',
  wallSeconds: 'wall_seconds',
  toolCalls: 'tool_calls',
  toolFailures: 'tool_failures',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  totalTokens: 'total_tokens',
}

/** A chart's parameters, and the version they resolved to: a fingerprint or `all`. */
export type ChartScope = { parameters: ChartParameters | HeatmapParameters; version: string }

function conditions({ parameters, version }: ChartScope): string[] {
  const filters = Object.keys(axisOf) as (keyof typeof axisOf)[]
  const search = 'testSearch' in parameters ? parameters.testSearch : ''
  return [
    ...(version === 'all' ? [] : [`version_fingerprint = ${literal(version)}`]),
    ...filters.flatMap((name) =>
      parameters[name].length === 0
        ? []
        : [`${groupOf[axisOf[name]]} IN (${parameters[name].map(literal).join(', ')})`],
    ),
    ...(parameters.fullPassOnly ? ['full_pass'] : []),
    ...(parameters.includeTestAware ? [] : ['NOT test_aware']),
    ...(search === '' ? [] : [`positionCaseInsensitiveUTF8(test_name, ${literal(search)}) > 0`]),
  ]
}

const where = (list: readonly string[]) => (list.length === 0 ? '' : `\nWHERE ${list.join('\n  AND ')}`)

/** One row per test and group, as the heatmap's cells. */
export const heatmapSql = (scope: ChartScope) =>
  `SELECT test_name, ${groupOf[scope.parameters.groupBy]} AS group_value,
  ${outcomes.map((outcome) => `countIf(outcome = '${outcome}') AS ${outcome}_count`).join(',\n  ')}
FROM tests${where(conditions(scope))}
GROUP BY test_name, group_value
ORDER BY test_name, group_value`

/** One row per run behind a cell, last ended first. */
export const cellSql = (scope: ChartScope, { test, group }: { test: string; group: string }) =>
  `SELECT id, variant_id, repeat, outcome, duration_ms, ended_at
FROM tests${where([...conditions(scope), `test_name = ${literal(test)}`, `${groupOf[scope.parameters.groupBy]} = ${literal(group)}`])}
ORDER BY ended_at DESC, run_id DESC`

/** One row per group: the means that the scatterplot marks. */
export function scatterSql(scope: ChartScope, against: EfficiencyMetric) {
  const x = columnOf[against]
  return `SELECT ${groupOf[scope.parameters.groupBy]} AS group_value, count() AS runs,
  countIf(pass_rate IS NOT NULL AND ${x} IS NOT NULL) AS with_both,
  avgIf(pass_rate, ${x} IS NOT NULL) AS mean_pass_rate,
  avgIf(${x}, pass_rate IS NOT NULL) AS mean_${x}
FROM runs${where(conditions(scope))}
GROUP BY group_value
ORDER BY group_value`
}

/** One row per group: how the metric spreads in it. `between` groups by version instead. */
export function metricSql(
  scope: ChartScope,
  metric: ChartMetric,
  only: { axis: 'group' | 'version'; values: string[] } | null = null,
) {
  const column = `toFloat64(${columnOf[metric]})`
  const group = only?.axis === 'version' ? 'version_fingerprint' : groupOf[scope.parameters.groupBy]
  const chosen = only ? [`${group} IN (${only.values.map(literal).join(', ')})`] : []
  const quantile = (level: number) => `quantileExactInclusive(${level})(${column})`
  return `SELECT ${group} AS group_value, count() AS runs, count(${column}) AS with_value,
  avg(${column}) AS mean_value, stddevSamp(${column}) AS sd, min(${column}) AS least,
  ${quantile(0.25)} AS q1, ${quantile(0.5)} AS median_value, ${quantile(0.75)} AS q3, max(${column}) AS most
FROM runs${where([...conditions(scope), ...chosen])}
GROUP BY group_value
ORDER BY group_value`
}

/** The variants that have runs in what is shown. */
export const variantsSql = (scope: ChartScope, group: string | null = null) =>
  `SELECT DISTINCT variant_id FROM ${'testSearch' in scope.parameters && scope.parameters.testSearch ? 'tests' : 'runs'}${where(
    [...conditions(scope), ...(group === null ? [] : [`${groupOf[scope.parameters.groupBy]} = ${literal(group)}`])],
  )}
ORDER BY variant_id`
