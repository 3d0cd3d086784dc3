import type { ChartMeasure, ChartMetric, EfficiencyMetric } from '#contract/charts.ts'
import { measureOfScore, scoreNameOf } from '#contract/score-measures.ts'
import type { TickUnit } from '#src/charts/axis-scale.ts'
import { seconds } from '#src/format/durations.ts'
import { usd } from '#src/format/money.ts'
import { emptyValue, fixedPercent, percent, tokens } from '#src/format/numbers.ts'
import { scoreMean, scoreText } from '#src/format/scores.ts'
import { type MeasureWords, amountOf, signOf } from '#src/format/comparison-sentence.ts'
import { largestValues } from './largest-values.ts'

/** The name, format and sentence words of a metric. */
type Measure = {
  label: string
  format: (value: number | null) => string
  words: MeasureWords
  tickUnit: TickUnit
  largest?: number | undefined
}

const one = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 1 })
const number = (value: number | null) =>
  value === null ? emptyValue : (value > 0 && value < 0.05 ? small : one).format(value)

const inTokens: MeasureWords = {
  verb: 'uses',
  unit: ['token', 'tokens'],
  bare: (value) => (value < 1 ? number(value) : tokens(value)),
  more: 'more',
  less: 'fewer',
}

/** A share differs from another in percentage points. */
const asShare = (verb: string, detail: string): Omit<Measure, 'label'> => ({
  format: (value) => percent(value, 1),
  tickUnit: 'number',
  words: { verb, unit: ['point', 'points'], bare: points, more: 'higher', less: 'lower', detail },
})

const measures: Record<ChartMetric, Measure> = {
  solved: { label: 'Solved', ...asShare('scores', 'in solved rate'), largest: largestValues.solved },
  passRate: {
    label: 'Test pass rate',
    ...asShare('scores', 'in mean test pass rate'),
    largest: largestValues.passRate,
  },
  costUsd: {
    label: 'Model cost',
    format: usd,
    tickUnit: 'number',
    words: { verb: 'costs', bare: usd, more: 'more', less: 'less' },
  },
  wallSeconds: {
    label: 'Time',
    format: seconds,
    tickUnit: 'time',
    words: { verb: 'takes', bare: seconds, more: 'longer', less: 'less' },
  },
  toolCalls: {
    label: 'Tool calls',
    format: number,
    tickUnit: 'number',
    words: { verb: 'makes', unit: ['tool call', 'tool calls'], bare: number, more: 'more', less: 'fewer' },
  },
  toolFailures: {
    label: 'Tool failures',
    format: number,
    tickUnit: 'number',
    words: { verb: 'has', unit: ['tool failure', 'tool failures'], bare: number, more: 'more', less: 'fewer' },
  },
  toolFailureRate: {
    label: 'Tool failure rate',
    ...asShare('is', 'in tool failure rate'),
    largest: largestValues.toolFailureRate,
  },
  inputTokens: { label: 'Input tokens', format: tokens, tickUnit: 'number', words: inTokens },
  outputTokens: { label: 'Output tokens', format: tokens, tickUnit: 'number', words: inTokens },
  totalTokens: { label: 'Tokens', format: tokens, tickUnit: 'number', words: inTokens },
}

const measureOfScoreNamed = (name: string): Measure => ({
  label: name,
  format: scoreText,
  tickUnit: 'number',
  words: { verb: 'scores', bare: scoreMean, more: 'higher', less: 'lower', detail: `in ${name}` },
})

/** How a metric or a score is named and written. */
export function measureOf(measure: ChartMeasure): Measure {
  const name = scoreNameOf(measure)
  return name === null ? measures[measure as ChartMetric] : measureOfScoreNamed(name)
}

/** The label within a sentence: the name of a score keeps its case. */
export const labelInSentence = (measure: ChartMeasure) => scoreNameOf(measure) ?? measureOf(measure).label.toLowerCase()

/** The scores among the choices of a picker, after the metrics. */
export const scoreChoices = (names: readonly string[] | undefined, prefix = '') =>
  (names ?? []).map((name) => ({ value: measureOfScore(name), label: `${prefix}${name}` }))

/**
 * Percentage points without decimals from ten up and with one below, or more if a nonzero value would read as zero.
 * Values beside each other have the same number of decimals.
 */
function points(share: number, beside: readonly number[] = []) {
  const shares = [share, ...beside].map(inPoints)
  const readsAsZero = (decimals: number) =>
    shares.some((value) => value > 1e-7 && Number(value.toFixed(decimals)) === 0)
  let decimals = shares.some((value) => value > 0 && value < 9.95) ? 1 : 0
  while (decimals < 4 && readsAsZero(decimals)) decimals += 1
  const text = inPoints(share).toFixed(decimals)
  return beside.length === 0 ? String(Number(text)) : text
}

/** A mean difference of 0.0825 may be stored as 0.08249…; twelve digits are the same however it was summed. */
const inPoints = (share: number) => Number((Math.abs(share) * 100).toPrecision(12))

const isShare = (metric: ChartMeasure) => measureOf(metric).words.bare === points

const meanFormat = (metric: ChartMeasure) => (scoreNameOf(metric) === null ? measureOf(metric).format : scoreMean)

/** A mean in a sentence. */
export const meanInWords = (metric: ChartMeasure, value: number | null) =>
  isShare(metric) ? percent(value, 1) : meanFormat(metric)(value)

/** A value below others of its metric: a share always has its decimals. */
export const inColumn = (metric: ChartMeasure, value: number | null) =>
  isShare(metric) ? fixedPercent(value) : meanFormat(metric)(value)

/** A difference with its sign: `+12 points`, `−$0.10`; as precise as those beside it. */
export function signed(metric: ChartMeasure, value: number | null, beside?: readonly number[]) {
  if (value === null) return emptyValue
  const text = amountOf(measureOf(metric).words, value, beside)
  return signOf(value, text) + text
}

/** `+12`, `−$0.10`, for places that already show the unit. */
export function signedBare(metric: ChartMeasure, value: number, beside?: readonly number[]) {
  const text = measureOf(metric).words.bare(Math.abs(value), beside?.map(Math.abs))
  return signOf(value, text) + text
}

export const efficiencyMetrics: readonly EfficiencyMetric[] = [
  'costUsd',
  'wallSeconds',
  'totalTokens',
  'inputTokens',
  'outputTokens',
  'toolCalls',
  'toolFailures',
]
