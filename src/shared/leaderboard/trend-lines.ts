import type { ScoreMeasure } from '#contract/scores.ts'
import type { TrendLine } from '#src/charts/trend/trend-line.ts'
import { calendarDate, dayOfMonth } from '#src/format/dates.ts'
import { counted, percent, pointsText } from '#src/format/numbers.ts'
import { type Trend, type TrendMetric, type TrendStep, byStep } from '#statistics/leaderboard/trends.ts'
import type { DateUnit } from './trend-dates.ts'

/** How a trend writes its values and its changes. */
export type TrendWords = {
  /** `solved`, before a value. */
  noun: string
  format: (value: number | null) => string
  /** With a sign; null where it is unknown. */
  change: (difference: number | null) => string
  verdicts: Record<NonNullable<TrendStep['change']>['verdict'], string>
}

const undecided = { same: 'no change', inconclusive: 'inconclusive', unknown: 'not enough data' } as const

/** `better` and `worse` by metric: for amounts, less is better. */
export const trendVerdicts: Record<Exclude<TrendMetric, ScoreMeasure>, TrendWords['verdicts']> = {
  solved: { better: 'better', worse: 'worse', ...undecided },
  passRate: { better: 'better', worse: 'worse', ...undecided },
  costUsd: { better: 'cheaper', worse: 'more expensive', ...undecided },
  wallSeconds: { better: 'faster', worse: 'slower', ...undecided },
}

export const solvedWords: TrendWords = {
  noun: 'solved',
  format: (value) => percent(value, 1),
  change: (difference) => `${pointsText(difference)} points`,
  verdicts: trendVerdicts.solved,
}

/** How a version, or a date such as `2026-11-20`, is written. */
export type NameOfStep = (at: string) => string

const asItIs: NameOfStep = (at) => at

/** Dates of one year are written without it. */
export function nameOfSteps(trends: readonly Trend[], unit: 'version' | DateUnit): NameOfStep {
  if (unit === 'version') return asItIs
  const years = new Set(trends.flatMap(({ steps }) => steps.map(({ at }) => at.slice(0, 4))))
  return years.size === 1 ? dayOfMonth : calendarDate
}

/** Trends as lines over all steps that any of them has. */
export function toTrendLines(
  trends: readonly Trend[],
  { words = solvedWords, nameOf = asItIs }: { words?: TrendWords; nameOf?: NameOfStep } = {},
): { steps: string[]; lines: TrendLine[] } {
  const steps = [...new Set(trends.flatMap((trend) => trend.steps.map(({ at }) => at)))].toSorted(byStep)
  const lines = trends.map((trend) => ({
    label: trend.label,
    places: trend.steps.map((step) => ({
      group: step.row.group,
      x: step.at,
      value: step.value,
      interval: step.interval,
      text: words.format(step.value),
      detail: detailOf(step, words, nameOf),
    })),
  }))
  return { steps, lines }
}

/** `52.1 % to 65.2 %, 400 runs, +4.0 points since v2, inconclusive` */
function detailOf({ interval, runs, change }: TrendStep, words: TrendWords, nameOf: NameOfStep) {
  const known = interval ? [`${words.format(interval.low)} to ${words.format(interval.high)}`] : []
  return [...known, counted(runs, 'run'), ...(change ? [changeText(change, words, nameOf)] : [])].join(', ')
}

/** `droid · opus · v3: solved 58.8 % of 400 runs, +4.0 points since v2, inconclusive` */
export function describeStep({ row, at, value, runs, change }: TrendStep, words: TrendWords, nameOf: NameOfStep) {
  const name = [...row.names.slice(0, -1), nameOf(at)].join(' · ')
  const known = `${name}: ${words.noun} ${words.format(value)} of ${runs} runs`
  return change ? `${known}, ${changeText(change, words, nameOf)}` : known
}

const changeText = (change: NonNullable<TrendStep['change']>, words: TrendWords, nameOf: NameOfStep) =>
  `${words.change(change.difference)} since ${nameOf(change.since)}, ${verdictText(change, words)}`

/** `no change (at most ±3.7 points)`: where every prompt is as before, what the data still allow. */
export function verdictText({ verdict, bound }: NonNullable<TrendStep['change']>, words: TrendWords) {
  const known = words.verdicts[verdict]
  return verdict === 'same' && bound !== null ? `${known} (at most ${words.change(bound).replace('+', '±')})` : known
}
