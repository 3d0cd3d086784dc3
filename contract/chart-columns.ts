import type { ChartGroupBy, ChartMetric, ChartParameters } from './charts.ts'

/**
 * What a chart groups by, as SQL over the analytics table `runs`. Runs without a value are in the group '', which an empty
 * `group_value` selects.
 */
export const groupExpression = {
  variant: 'variant_id',
  agent: 'agent',
  agent_mode: "ifNull(agent_mode, '')",
  model: "ifNull(model, '')",
  prompt: "ifNull(prompt, '')",
  environment: "ifNull(environment, '')",
  product: "ifNull(product, '')",
} as const satisfies Record<ChartGroupBy, string>

/** The column that each chart filter applies to. */
export const axisOfFilter = {
  agents: 'agent',
  agentModes: 'agent_mode',
  models: 'model',
  products: 'product',
  environments: 'environment',
  promptIds: 'prompt',
} as const satisfies Partial<Record<keyof ChartParameters, ChartGroupBy>>

export const chartFilters = Object.keys(axisOfFilter) as (keyof typeof axisOfFilter)[]

/** The column of the table `runs` for each metric. */
export const columnOfMetric = {
  passRate: 'pass_rate',
  costUsd: 'cost_usd',
  wallSeconds: 'wall_seconds',
  toolCalls: 'tool_calls',
  toolFailures: 'tool_failures',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  totalTokens: 'total_tokens',
} as const satisfies Record<ChartMetric, string>
