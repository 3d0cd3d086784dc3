import type { IntervalUnit, Metric } from '#contract/queries.ts'

/**
 * The 95 % interval of a mean over runs, in SQL. The units (runs, prompts with all their runs, or tasks with all their
 * prompts) are a random sample, so the mean is a ratio of sums over units, with the variance of its linear form and
 * Student's t (Cochran 1977, chapter 6). Names end in the place of their metric.
 */
export type IntervalSample = IntervalUnit | 'tasks'

/** Of one unit: the sum of its runs' values, and the number of its runs that have one. */
export const sumsOf = (value: string, place: number) =>
  `toFloat64(sum(${value})) AS sum${place}, toFloat64(count(${value})) AS size${place}`

/**
 * Of one group: the mean, the number of units, the degrees of Student's t, whether all units agree, and the variance of
 * the mean. Tasks may have very different numbers of prompts; then there are fewer degrees, as in `effectiveTasks` of
 * `statistics/mean-over-tasks.ts`, in whole numbers.
 */
export function spreadOf(place: number, sample: IntervalSample): string {
  const [sum, size] = [`sum${place}`, `size${place}`]
  const mean = `(sum(${sum}) / sum(${size}))`
  const effective = `sum(${size}) * sum(${size}) / sum(${size} * ${size})`
  const squares = `sum(${sum} * ${sum}) - 2 * ${mean} * sum(${sum} * ${size}) + ${mean} * ${mean} * sum(${size} * ${size})`
  return [
    `${mean} AS mean${place}`,
    `toFloat64(countIf(${size} > 0)) AS units${place}`,
    `${sample === 'tasks' ? `floor(${effective} + 1e-9)` : `toFloat64(countIf(${size} > 0))`} - 1 AS degrees${place}`,
    // Sums of equal fractions may differ in their last digit.
    `max(${sum} / ${size}) - min(${sum} / ${size}) <= 1e-9 * max(${sum} / ${size}) AS same${place}`,
    `greatest(0, ${squares}) / (sum(${size}) * sum(${size})) AS variance${place}`,
  ].join(', ')
}

const zSquared = 3.841459

/** The metric and the ends of its interval, which are null for a single unit. */
export function endsOf(metric: Metric, place: number): string {
  const isRate = metric === 'testPassRate'
  const [mean, units, degrees] = [`mean${place}`, `units${place}`, `degrees${place}`]
  const reach = `${studentT(degrees)} * sqrt(variance${place} * ${units} / (${units} - 1))`
  const end = (sign: '-' | '+') => {
    const student = `${mean} ${sign} ${reach}`
    const inRange = sign === '-' ? `greatest(0, ${student})` : isRate ? `least(1, ${student})` : student
    // Where all units agree, nothing shows how much they vary. Only a rate has an interval then: Wilson's.
    const agreed = isRate ? wilson(mean, units, sign) : 'NULL'
    return `multiIf(${units} < 2 OR ${degrees} < 1, NULL, same${place}, ${agreed}, ${inRange})`
  }
  return `${mean} AS ${metric}, ${end('-')} AS ${metric}Low, ${end('+')} AS ${metric}High`
}

const wilson = (mean: string, units: string, sign: '-' | '+') =>
  `(${mean} + ${zSquared / 2} / ${units} ${sign} sqrt(${zSquared} * (${mean} * (1 - ${mean}) / ${units} + ${zSquared / 4} / (${units} * ${units})))) / (1 + ${zSquared} / ${units})`

/**
 * The 97.5 % quantile of Student's t, which the engine has no function for: exact for one and two degrees, and within
 * 0.13 % by the expansion of Abramowitz and Stegun (26.7.5) beyond.
 */
const studentT = (degrees: string) =>
  `multiIf(${degrees} = 1, 12.706205, ${degrees} = 2, 4.302653, 1.959964 + (2.372271 + (2.822499 + (2.555863 + 1.589544 / ${degrees}) / ${degrees}) / ${degrees}) / ${degrees})`
