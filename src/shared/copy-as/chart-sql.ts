import { columnOfMeasure, columnOfMetric, groupExpression } from '#contract/chart-columns.ts'
import type { FailureKind } from '#contract/failure-signatures.ts'
import type { ChartMeasure, EfficiencyMetric, QualityMetric } from '#contract/charts.ts'
import type { ScoreMeasure } from '#contract/scores.ts'
import { outcomes } from '#contract/outcomes.ts'
import { type ChartScope, type ChartPart, literal, where } from './sql-parts.ts'

const countsOfOutcomes = outcomes.map((outcome) => `countIf(outcome = '${outcome}') AS ${outcome}_count`)

/** One row per test and group, as the heatmap's cells. */
export const heatmapSql = (scope: ChartScope) =>
  `SELECT test_name, ${groupExpression(scope.parameters.groupBy)} AS group_value,
  ${countsOfOutcomes.join(',\n  ')}
FROM tests${where(scope)}
GROUP BY test_name, group_value
ORDER BY test_name, group_value`

/** One row per run behind a cell, newest first. */
export const cellSql = (scope: ChartScope, { test, group }: { test: string; group: string }) =>
  `SELECT id, variant_id, repeat, outcome, duration_ms, ended_at
FROM tests${where(scope, { groups: [group] }, [`test_name = ${literal(test)}`])}
ORDER BY ended_at DESC, run_id DESC`

/** One row per test over all groups. A test is flaky if it both passed and failed within a variant of a version. */
export const testsSql = (scope: ChartScope) =>
  `SELECT test_name, countIf(passed_count > 0 AND failed_count > 0) AS flaky_variants,
  ${outcomes.map((outcome) => `sum(${outcome}_count) AS ${outcome}`).join(',\n  ')}
FROM (
  SELECT test_name, variant_id, version_fingerprint,
    ${countsOfOutcomes.join(',\n    ')}
  FROM tests${where(scope).replaceAll('\n', '\n  ')}
  GROUP BY test_name, variant_id, version_fingerprint
)
GROUP BY test_name
ORDER BY test_name`

/** One row per group: the means that the scatterplot marks. */
export function scatterSql(scope: ChartScope, quality: QualityMetric | ScoreMeasure, against: EfficiencyMetric) {
  const [x, y] = [columnOfMetric[against], columnOfMeasure(quality, literal)]
  // A score has any name, so its column gets one.
  const name = y === x || /^\w+$/.test(y) ? y : 'score'
  return `SELECT ${groupExpression(scope.parameters.groupBy)} AS group_value, count() AS runs,
  countIf(${y} IS NOT NULL AND ${x} IS NOT NULL) AS with_both,
  avgIf(${y}, ${x} IS NOT NULL) AS mean_${name},
  avgIf(${x}, ${y} IS NOT NULL) AS mean_${x}
FROM runs${where(scope)}
GROUP BY group_value
ORDER BY group_value`
}

/** The mean of a column over the runs of each prompt, and then over prompts, so every prompt counts the same. */
const meanOverPrompts = (column: string) =>
  `arrayAvg(mapValues(avgMapIf(map(ifNull(prompt, ''), toFloat64(ifNull(${column}, 0))), ${column} IS NOT NULL)))`

/** One row per group: runs that count, those that solved their task, what they cost and how long they took. */
export const leaderboardSql = (scope: ChartScope) =>
  `SELECT ${groupExpression(scope.parameters.groupBy)} AS group_value, count(solved) AS runs, countIf(solved) AS solved_runs,
  ${meanOverPrompts('solved')} AS solved_rate,
  ${meanOverPrompts('pass_rate')} AS test_pass_rate, avg(cost_usd) AS mean_cost,
  sumIf(cost_usd, solved IS NOT NULL) / nullIf(countIf(solved AND cost_usd IS NOT NULL), 0) AS cost_per_solved,
  quantileExactInclusive(0.5)(wall_seconds) AS p50, quantileExactInclusive(0.9)(wall_seconds) AS p90
FROM runs${where(scope)}
GROUP BY group_value
ORDER BY solved_rate DESC, group_value`

/** One row per failure signature, that of most runs first. */
export const failuresSql = (scope: ChartScope, kind?: FailureKind) =>
  `SELECT signature_id, any(kind) AS failure_kind, any(signature) AS message, uniqExact(run_id) AS failed_runs,
  countIf(test_name IS NOT NULL) AS failed_tests, min(ended_at) AS first_seen, max(ended_at) AS last_seen
FROM failures${where(scope, {}, kind ? [`kind = ${literal(kind)}`] : [], { isCounted: false })}
GROUP BY signature_id
ORDER BY failed_runs DESC, failed_tests DESC, message`

/** One row per group, or per version if the part names versions: the distribution of the metric. */
export function metricSql(scope: ChartScope, metric: ChartMeasure, part: ChartPart = {}) {
  const column = `toFloat64(${columnOfMeasure(metric, literal)})`
  const group = part.versions ? 'version_fingerprint' : groupExpression(scope.parameters.groupBy)
  const quantile = (level: number) => `quantileExactInclusive(${level})(${column})`
  return `SELECT ${group} AS group_value, count() AS runs, count(${column}) AS with_value,
  avg(${column}) AS mean_value, stddevSamp(${column}) AS sd, min(${column}) AS least,
  ${quantile(0.25)} AS q1, ${quantile(0.5)} AS median_value, ${quantile(0.75)} AS q3, max(${column}) AS most
FROM runs${where(scope, part)}
GROUP BY group_value
ORDER BY group_value`
}

/** One row per run, newest first, with the metrics that place it in the chart. */
export const partSql = (scope: ChartScope, part: ChartPart, metrics: readonly ChartMeasure[]) =>
  `SELECT ${['id', 'variant_id', 'version_ordinal', 'repeat', ...metrics.map((metric) => columnOfMeasure(metric, literal)), 'ended_at'].join(', ')}
FROM runs${where(scope, part)}
ORDER BY ended_at DESC, run_id DESC`

/** The variants with runs in the shown data. */
export const variantsSql = (scope: ChartScope, part: ChartPart) =>
  `SELECT DISTINCT variant_id FROM ${'testSearch' in scope.parameters && scope.parameters.testSearch ? 'tests' : 'runs'}${where(scope, part)}
ORDER BY variant_id`
