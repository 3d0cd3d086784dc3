import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartMeasure } from '#contract/charts.ts'
import { type Comparison, compareGroups } from '#statistics/compare-groups.ts'
import { holm } from '#statistics/holm.ts'
import type { Scope } from '#statistics/scope.ts'
import { significance } from '#statistics/verdict.ts'
import { type ComparedAxis, toObservations, toSides } from './compare-sides.ts'
import { largestValues } from '#src/features/results/view/largest-values.ts'

export type PairNames = { left: string; right: string }

/** The compared axis and measure. Without a scope, each pair's matched prompts suggest one. */
export type Question = { compared: ComparedAxis; measure: ChartMeasure; scope: Scope | null }

/**
 * Compares a pair in a fixed order, because the bootstrap's random draws depend on the order of the groups. Swapping
 * the sides therefore changes signs and nothing else.
 */
export function comparePair(runs: readonly ChartRun[], { left, right }: PairNames, question: Question): Comparison {
  return left <= right
    ? compareInOrder(runs, { left, right }, question)
    : swapped(compareInOrder(runs, { left: right, right: left }, question))
}

function compareInOrder(runs: readonly ChartRun[], names: PairNames, { compared, measure, scope }: Question) {
  const { left, right, matchedBy } = toSides(runs, compared, names)
  const largest = largestValues[measure]
  return compareGroups(toObservations(left, matchedBy, measure), toObservations(right, matchedBy, measure), {
    scope,
    ...(largest !== undefined && { largest }),
  })
}

const swapped = ({ left, right, cells, difference, interval, ...others }: Comparison): Comparison => ({
  ...others,
  left: right,
  right: left,
  cells: cells.map((matched) => ({ ...matched, left: matched.right, right: matched.left })),
  difference: difference === null ? null : 0 - difference,
  interval: interval && { low: 0 - interval.high, high: 0 - interval.low },
})

export const allPairs = (values: readonly string[]): PairNames[] =>
  values.flatMap((left, place) => values.slice(place + 1).map((right) => ({ left, right })))

/**
 * The page does not compare more pairs than this by itself, because hardly any would be significant after correction.
 */
export const maxPairs = 190

export type CorrectedPair = PairNames & { comparison: Comparison; correctedP: number | null }

/** Pairs with their comparisons. p-values are corrected for the number of pairs that have one. */
export function correctPairs(pairs: readonly PairNames[], comparisons: readonly Comparison[]): CorrectedPair[] {
  const corrected = holm(comparisons.map(({ pValue }) => pValue))
  return pairs.flatMap((names, place) => {
    const comparison = comparisons[place]
    return comparison ? [{ ...names, comparison, correctedP: corrected[place] ?? null }] : []
  })
}

/** True for the same two groups in either order. */
export const isSamePair = (one: PairNames, other: PairNames) =>
  (one.left === other.left && one.right === other.right) || (one.left === other.right && one.right === other.left)

/** The words for a verdict in tables and quotes. */
const verdictWords = {
  differs: 'significant',
  unresolved: 'inconclusive',
  'unresolved after correction': 'inconclusive after correction',
  identical: 'identical',
  'too few': 'not enough data',
  unmatched: 'not matched',
} as const

export const describeVerdict = (pair: CorrectedPair) => verdictWords[verdictOf(pair)]

/** The verdict of a pair, after correction if several pairs were compared. */
export function verdictOf({ comparison, correctedP }: CorrectedPair) {
  if (comparison.verdict !== 'differs') return comparison.verdict
  return correctedP !== null && correctedP < significance ? 'differs' : 'unresolved after correction'
}
