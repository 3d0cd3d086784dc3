import type { Dimension, Metric } from '#contract/queries.ts'

/** A modeled query over one version of an experiment. An empty filter list filters nothing. */
export type ModeledQuery = {
  metrics: readonly Metric[]
  groupBy: readonly Dimension[]
  filters: Partial<Record<Exclude<Dimension, 'variant' | 'test'>, readonly string[]>>
  fingerprint: string
}

const columnOf = {
  variant: 'variant_id',
  agent: 'agent',
  model: 'model',
  product: 'product',
  environment: 'environment',
  prompt: 'prompt',
  test: 'test_name',
} as const satisfies Record<Dimension, string>

/**
 * Means over runs. Every run counts once, whatever its number of tests. A run without a value of a metric does not
 * count in that metric's mean.
 */
const meanOverRuns = {
  testPassRate: 'avg(pass_rate)',
  testsPassed: 'avg(passed)',
  testsFailed: 'avg(failed)',
  cost: 'avg(cost_usd)',
  wallClockTime: 'avg(wall_seconds)',
  tokens: 'avg(total_tokens)',
  toolCalls: 'avg(tool_calls)',
  toolFailures: 'avg(tool_failures)',
} as const satisfies Record<Metric, string>

/**
 * Grouped by test, the unit is a run of that test. The pass rate is the share of these runs that passed the test,
 * without skipped ones.
 */
const meanOverRunsOfTest: Record<Metric, string> = {
  ...meanOverRuns,
  testPassRate: 'avg(if(test_counted = 0, NULL, test_passed / test_counted))',
  testsPassed: 'avg(test_passed)',
  testsFailed: 'avg(test_failed)',
}

const runsOfTests = `(
  SELECT run_id, test_name, countIf(outcome = 'passed') AS test_passed, countIf(outcome = 'failed') AS test_failed,
    countIf(outcome != 'skipped') AS test_counted
  FROM tests GROUP BY run_id, test_name
) AS captured INNER JOIN runs USING (run_id)`

/** Compiles a modeled query to a SELECT of the sorted groups, each metric, and `runCount`, the denominator. */
export function compileModeled({ metrics, groupBy, ...population }: ModeledQuery): string {
  const isByTest = groupBy.includes('test')
  const means = isByTest ? meanOverRunsOfTest : meanOverRuns
  const projection = [
    ...groupBy.map((dimension) => `${columnOf[dimension]} AS ${dimension}`),
    ...metrics.map((metric) => `${means[metric]} AS ${metric}`),
    'count() AS runCount',
  ]
  const groups = groupBy.join(', ')
  return `SELECT ${projection.join(', ')} FROM ${isByTest ? runsOfTests : 'runs'}
    WHERE ${conditionOf(population)} GROUP BY ${groups} ORDER BY ${groups}`
}

/** Compiles a count of the runs that the default exclusion omits. Execute it with test-aware runs included. */
export const compileExcluded = (population: Population) =>
  `SELECT count() FROM runs WHERE test_aware AND ${conditionOf(population)}`

/** Compiles a SELECT of the observed values of a dimension, with the number of runs of each. */
export function compileValues(dimension: Dimension, population: Population): string {
  const column = columnOf[dimension]
  if (dimension !== 'test')
    return `SELECT ${column} AS value, count() AS runs FROM runs WHERE ${conditionOf(population)} GROUP BY value ORDER BY value`
  return `SELECT ${column} AS value, uniqExact(run_id) AS runs FROM tests WHERE ${conditionOf(population)} GROUP BY value ORDER BY value`
}

type Population = Pick<ModeledQuery, 'filters' | 'fingerprint'>

/** Conditions on columns that `runs` and `tests` share. '' selects runs without a recorded value, as in the charts. */
function conditionOf({ filters, fingerprint }: Population) {
  const axes = Object.entries(filters).filter(([, values]) => values.length > 0)
  return [
    `version_fingerprint = ${quote(fingerprint)}`,
    ...axes.map(([axis, values]) => `ifNull(${axis}, '') IN (${values.map(quote).join(', ')})`),
  ].join(' AND ')
}

const quote = (text: string) =>
  `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`
