import { countedCondition } from '#contract/chart-columns.ts'
import type { PromptTasks } from '#contract/prompt-tasks.ts'
import type { Dimension, IntervalUnit, Metric } from '#contract/queries.ts'
import { endsOf, type IntervalSample, spreadOf, sumsOf } from './modeled-interval.ts'

/** A modeled query over one version of an experiment. An empty filter list filters nothing. */
export type ModeledQuery = {
  metrics: readonly Metric[]
  groupBy: readonly Dimension[]
  filters: Partial<Record<Exclude<Dimension, 'variant' | 'test'>, readonly string[]>>
  fingerprint: string
  /** The unit that the 95 % interval of each metric counts as a random sample; undefined for no interval. */
  interval?: IntervalUnit | undefined
  /** The prompts that are variants of a task. */
  promptTasks: PromptTasks
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

/** The value of one run. A run without a value of a metric does not count in that metric's mean. */
const ofRun = {
  testPassRate: 'pass_rate',
  testsPassed: 'passed',
  testsFailed: 'failed',
  cost: 'cost_usd',
  wallClockTime: 'wall_seconds',
  tokens: 'total_tokens',
  toolCalls: 'tool_calls',
  toolFailures: 'tool_failures',
} as const satisfies Record<Metric, string>

/**
 * Grouped by test, the unit is a run of that test. The pass rate is the share of these runs that passed the test,
 * without skipped ones.
 */
const ofRunOfTest: Record<Metric, string> = {
  ...ofRun,
  testPassRate: 'if(test_counted = 0, NULL, test_passed / test_counted)',
  testsPassed: 'test_passed',
  testsFailed: 'test_failed',
}

const runsOfTests = `(
  SELECT run_id, test_name, countIf(outcome = 'passed') AS test_passed, countIf(outcome = 'failed') AS test_failed,
    countIf(outcome != 'skipped') AS test_counted
  FROM tests GROUP BY run_id, test_name
) AS captured INNER JOIN runs USING (run_id)`

/**
 * Compiles a modeled query to a SELECT of the sorted groups, the mean of each metric over runs, and `runCount`, the
 * denominator. Every run counts once, whatever its number of tests; a run that is left out does not count. With an interval, each metric is followed by its
 * `Low` and `High`.
 */
export function compileModeled({ metrics, groupBy, interval, promptTasks, ...population }: ModeledQuery): string {
  const isByTest = groupBy.includes('test')
  const valueOf = isByTest ? ofRunOfTest : ofRun
  const source = `FROM ${isByTest ? runsOfTests : 'runs'} WHERE ${conditionOf(population)}`
  const dimensions = groupBy.map((dimension) => `${columnOf[dimension]} AS ${dimension}`)
  const groups = groupBy.join(', ')
  if (!interval) {
    const means = metrics.map((metric) => `avg(${valueOf[metric]}) AS ${metric}`)
    return `SELECT ${[...dimensions, ...means, 'count() AS runCount'].join(', ')} ${source} GROUP BY ${groups} ORDER BY ${groups}`
  }
  const places = [...metrics.entries()]
  const units = places.map(([place, metric]) => sumsOf(valueOf[metric], place))
  const sample = interval === 'prompts' && promptTasks.length > 0 ? 'tasks' : interval
  const spreads = places.map(([place]) => spreadOf(place, sample))
  const ends = places.map(([place, metric]) => endsOf(metric, place))
  return `SELECT ${[groups, ...ends, 'runCount'].join(', ')} FROM (
    SELECT ${[groups, ...spreads, 'sum(unitRuns) AS runCount'].join(', ')} FROM (
      SELECT ${[...dimensions, ...units, 'count() AS unitRuns'].join(', ')} ${source}
      GROUP BY ${groups}, ${unitOf(sample, promptTasks)}
    ) GROUP BY ${groups}
  ) ORDER BY ${groups}`
}

/** The column, or the expression, that is the same for all runs of a unit. */
function unitOf(sample: IntervalSample, promptTasks: PromptTasks) {
  if (sample !== 'tasks') return { runs: 'run_id', prompts: 'prompt' }[sample]
  const listed = (texts: readonly string[]) => `[${texts.map(quote).join(', ')}]`
  const [prompts, tasks] = [promptTasks.map(({ prompt }) => prompt), promptTasks.map(({ task }) => task)]
  return `transform(ifNull(prompt, ''), ${listed(prompts)}, ${listed(tasks)}, ifNull(prompt, ''))`
}

/** Compiles a SELECT of `test_aware`, the cause and the number of runs. Execute it with test-aware runs included. */
export const compileOmitted = (population: Population) =>
  `SELECT test_aware, infrastructure_cause, count() FROM runs WHERE ${scopeOf(population)} GROUP BY test_aware, infrastructure_cause`

/** Compiles a SELECT of the observed values of a dimension, with the number of runs of each. */
export function compileValues(dimension: Dimension, population: Population): string {
  const column = columnOf[dimension]
  if (dimension !== 'test')
    return `SELECT ${column} AS value, count() AS runs FROM runs WHERE ${conditionOf(population)} GROUP BY value ORDER BY value`
  return `SELECT ${column} AS value, uniqExact(run_id) AS runs FROM tests WHERE ${conditionOf(population)} GROUP BY value ORDER BY value`
}

type Population = Pick<ModeledQuery, 'filters' | 'fingerprint'>

const conditionOf = (population: Population) => `${countedCondition} AND ${scopeOf(population)}`

/** Conditions on columns that `runs` and `tests` share. '' selects runs without a recorded value, as in the charts. */
function scopeOf({ filters, fingerprint }: Population) {
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
