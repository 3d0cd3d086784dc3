import type { ChartAxis, ChartGroupBy, ChartMeasure, ChartMetric, ChartParameters } from './charts.ts'
import { axesOfGrouping } from './grouping-axes.ts'
import { scoreNameOf } from './score-measures.ts'

/** The value of each axis, as SQL over the analytics tables `runs` and `tests`; '' for a run without one. */
export const axisExpression = {
  agent: 'agent',
  agent_mode: "ifNull(agent_mode, '')",
  model: "ifNull(model, '')",
  prompt: "ifNull(prompt, '')",
  environment: "ifNull(environment, '')",
  product: "ifNull(product, '')",
  version: "concat('v', toString(version_ordinal))",
  day: 'toString(toDate(ended_at))',
  week: 'toString(toStartOfWeek(ended_at, 1))',
  // All tags of a run together: a run with two tags is counted once.
  tags: "arrayStringConcat(tags, ' + ')",
} as const satisfies Record<ChartAxis, string>

/** `isLeftOut` of contract/infrastructure.ts, negated, as SQL over the same tables. */
export const countedCondition = 'infrastructure_cause IS NULL'

/**
 * What a chart groups by, as SQL over the same tables. Runs without a value are in the group '', which an empty
 * `group_value` selects.
 */
export function groupExpression(groupBy: ChartGroupBy): string {
  const [first = 'variant_id', ...others] = axesOfGrouping(groupBy).map((axis) => axisExpression[axis])
  return others.length === 0 ? first : `concat(${[first, ...others].join(", '~', ")})`
}

/** The value of every axis of a group. */
export function readGroup(groupBy: ChartGroupBy, group: string): Partial<Record<ChartAxis, string>> {
  const axes = axesOfGrouping(groupBy)
  const values = axes.length === 1 ? [group] : group.split('~')
  return Object.fromEntries(axes.map((axis, place) => [axis, values[place] ?? '']))
}

/** The column that each chart filter applies to. */
export const axisOfFilter = {
  agents: 'agent',
  agentModes: 'agent_mode',
  models: 'model',
  products: 'product',
  environments: 'environment',
  promptIds: 'prompt',
} as const satisfies Partial<Record<keyof ChartParameters, ChartAxis>>

export const chartFilters = Object.keys(axisOfFilter) as (keyof typeof axisOfFilter)[]

/** Each metric as SQL over the table `runs`; a score is an element of its column `scores`. */
export const columnOfMetric = {
  solved: 'solved',
  passRate: 'pass_rate',
  costUsd: 'cost_usd',
  wallSeconds: 'wall_seconds',
  toolCalls: 'tool_calls',
  toolFailures: 'tool_failures',
  toolFailureRate: 'tool_failures / nullIf(tool_calls, 0)',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  totalTokens: 'total_tokens',
} as const satisfies Record<ChartMetric, string>

/** A metric or a score as SQL over the table `runs`. `quoted` writes a text as a literal. */
export function columnOfMeasure(measure: ChartMeasure, quoted: (text: string) => string): string {
  const name = scoreNameOf(measure)
  return name === null ? columnOfMetric[measure as ChartMetric] : `scores[${quoted(name)}]`
}
