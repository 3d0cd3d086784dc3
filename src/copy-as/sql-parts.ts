import type { ChartGroupBy, ChartMetric, ChartParameters, HeatmapParameters } from '#contract/charts.ts'

/** A text of the engine's SQL. */
export const literal = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** As the charts group: runs without a value stand in ''. */
export const groupOf: Record<ChartGroupBy, string> = {
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

export const columnOf: Record<ChartMetric, string> = {
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

/** Which of a chart's runs; one that names nothing is all of them. */
export type PartOfChart = {
  /** Of the chart's grouping. */
  groups?: readonly string[]
  /** Fingerprints. */
  versions?: readonly string[]
  /** What a matched cell has in common; null for runs without a value. */
  axes?: Partial<Record<ChartGroupBy, string | null>>
  /** UUIDs. */
  runIds?: readonly string[]
}

const isOneOf = (column: string, values: readonly string[]) =>
  values.length === 1 ? `${column} = ${literal(values[0] ?? '')}` : `${column} IN (${values.map(literal).join(', ')})`

/** WHERE with every condition of a chart's scope, a part of it, and more; nothing where there is none. */
export function where({ parameters, version }: ChartScope, part: PartOfChart = {}, more: readonly string[] = []) {
  const filters = Object.keys(axisOf) as (keyof typeof axisOf)[]
  const { groups, versions, axes = {}, runIds } = part
  const search = 'testSearch' in parameters ? parameters.testSearch : ''
  return whereAll([
    ...(version === 'all' ? [] : [isOneOf('version_fingerprint', [version])]),
    ...filters.flatMap((name) =>
      parameters[name].length === 0 ? [] : [isOneOf(groupOf[axisOf[name]], parameters[name])],
    ),
    ...(parameters.fullPassOnly ? ['full_pass'] : []),
    ...(parameters.includeTestAware ? [] : ['NOT test_aware']),
    ...(search === '' ? [] : [`positionCaseInsensitiveUTF8(test_name, ${literal(search)}) > 0`]),
    ...(versions ? [isOneOf('version_fingerprint', versions)] : []),
    ...(groups ? [isOneOf(groupOf[parameters.groupBy], groups)] : []),
    ...(Object.keys(axes) as ChartGroupBy[]).map((axis) => isOneOf(groupOf[axis], [axes[axis] ?? ''])),
    ...(runIds ? [isOneOf('run_id', runIds)] : []),
    ...more,
  ])
}

const whereAll = (conditions: readonly string[]) =>
  conditions.length === 0 ? '' : `\nWHERE ${conditions.join('\n  AND ')}`
