import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartMetric } from '#contract/charts.ts'
import { type Comparison, compareGroups } from '#src/statistics/compare-groups.ts'
import { holm } from '#src/statistics/holm.ts'
import type { Scope } from '#src/statistics/scope.ts'
import { significance } from '#src/statistics/verdict.ts'
import { type ComparedAxis, toObservations, toSides } from './compare-sides.ts'
import { largestValues } from '#src/features/results/view/largest-values.ts'

export type PairNames = { left: string; right: string }

/** What two groups are compared in; without a scope, each pair's matched prompts suggest its own. */
export type Question = { compared: ComparedAxis; measure: ChartMetric; scope: Scope | null }

/**
 * Chance decides the draws of a bootstrap, in the order of its groups; so a pair is always computed in one order, and
 * swapping its sides changes signs and nothing else.
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

/** More pairs than this are not compared unasked: after correction hardly any of them could be resolved. */
export const maxPairs = 190

export type CorrectedPair = PairNames & { comparison: Comparison; correctedP: number | null }

/** Pairs with their comparisons, each p-value corrected for being one of those that have one. */
export function correctPairs(pairs: readonly PairNames[], comparisons: readonly Comparison[]): CorrectedPair[] {
  const corrected = holm(comparisons.map(({ pValue }) => pValue))
  return pairs.flatMap((names, place) => {
    const comparison = comparisons[place]
    return comparison ? [{ ...names, comparison, correctedP: corrected[place] ?? null }] : []
  })
}

/** The same two, whichever is named first. */
export const isSamePair = (one: PairNames, other: PairNames) =>
  (one.left === other.left && one.right === other.right) || (one.left === other.right && one.right === other.left)

/** A verdict as a table and a quote name it. */
const verdictWords = {
  differs: 'significant',
  unresolved: 'inconclusive',
  'unresolved after correction': 'inconclusive after correction',
  identical: 'identical',
  'too few': 'not enough data',
  unmatched: 'no matched cells',
} as const

export const describeVerdict = (pair: CorrectedPair) => verdictWords[verdictOf(pair)]

/** What may be said of a pair that was looked at with others. */
export function verdictOf({ comparison, correctedP }: CorrectedPair) {
  if (comparison.verdict !== 'differs') return comparison.verdict
  return correctedP !== null && correctedP < significance ? 'differs' : 'unresolved after correction'
}
