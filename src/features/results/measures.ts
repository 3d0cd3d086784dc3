import type { ChartMetric, EfficiencyMetric } from '#contract/charts.ts'
import { type AxisFrom, niceAxis, niceTimeAxis } from '#src/charts/nice-axis.ts'
import { seconds } from '#src/format/durations.ts'
import { usd } from '#src/format/money.ts'
import { gap, percent, tokens } from '#src/format/numbers.ts'
import type { MeasureWords } from '#src/statistics/comparison-sentence.ts'
import { largestValues } from './largest-values.ts'

/** How a metric is named, written and talked about. */
type Measure = {
  label: string
  format: (value: number | null) => string
  /** `careful passes 12 points more often than hasty`. */
  words: MeasureWords
  axisFrom: AxisFrom
  largest?: number | undefined
}

const one = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const number = (value: number | null) => (value === null ? gap : one.format(value))
const percents = (value: number | null) => percent(value, 1)

const inTokens = {
  verb: 'uses',
  amount: (value: number) => `${tokens(value)} tokens`,
  bare: tokens,
  more: 'more',
  less: 'fewer',
}

export const measures: Record<ChartMetric, Measure> = {
  passRate: {
    label: 'Pass rate',
    format: percents,
    axisFrom: niceAxis,
    words: { verb: 'passes', amount: points, bare: barePoints, more: 'more often', less: 'less often' },
    largest: largestValues.passRate,
  },
  costUsd: {
    label: 'Cost',
    format: usd,
    axisFrom: niceAxis,
    words: { verb: 'costs', amount: usd, bare: usd, more: 'more', less: 'less' },
  },
  wallSeconds: {
    label: 'Time',
    format: seconds,
    axisFrom: niceTimeAxis,
    words: { verb: 'takes', amount: seconds, bare: seconds, more: 'longer', less: 'less' },
  },
  toolCalls: {
    label: 'Tool calls',
    format: number,
    axisFrom: niceAxis,
    words: {
      verb: 'makes',
      amount: (value) => `${number(value)} tool calls`,
      bare: number,
      more: 'more',
      less: 'fewer',
    },
  },
  toolFailures: {
    label: 'Tool failures',
    format: number,
    axisFrom: niceAxis,
    words: {
      verb: 'has',
      amount: (value) => `${number(value)} tool failures`,
      bare: number,
      more: 'more',
      less: 'fewer',
    },
  },
  inputTokens: { label: 'Input tokens', format: tokens, axisFrom: niceAxis, words: inTokens },
  outputTokens: { label: 'Output tokens', format: tokens, axisFrom: niceAxis, words: inTokens },
  totalTokens: { label: 'Tokens', format: tokens, axisFrom: niceAxis, words: inTokens },
}

/** Percentage points; what is below ten keeps a decimal. */
function barePoints(share: number) {
  return String(Math.abs(share) < 0.0995 ? Math.round(share * 1000) / 10 : Math.round(share * 100))
}

function points(share: number) {
  const bare = barePoints(share)
  return bare === '1' ? '1 point' : `${bare} points`
}

/** A difference with its sign: `+12 points`, `−$0.10`. */
export function signed(metric: ChartMetric, value: number | null) {
  if (value === null) return gap
  return signOf(value) + measures[metric].words.amount(Math.abs(value))
}

/** `+12`, `−$0.10`: where the unit is said elsewhere. */
export const signedBare = (metric: ChartMetric, value: number) =>
  signOf(value) + measures[metric].words.bare(Math.abs(value))

const signOf = (value: number) => (value > 0 ? '+' : value < 0 ? '−' : '')

export const efficiencyMetrics: readonly EfficiencyMetric[] = [
  'costUsd',
  'wallSeconds',
  'totalTokens',
  'inputTokens',
  'outputTokens',
  'toolCalls',
  'toolFailures',
]
