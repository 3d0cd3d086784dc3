import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartMetric } from '#contract/charts.ts'
import { type Comparison, compareGroups } from '#src/statistics/compare-groups.ts'
import { holm } from '#src/statistics/holm.ts'
import { type ComparedAxis, type Sides, toObservations, toSides } from './compare-sides.ts'
import { measures } from './measures.ts'

export type PairNames = { left: string; right: string }

export type ComparedPair = PairNames & { sides: Sides; comparison: Comparison }

type Question = { compared: ComparedAxis; measure: ChartMetric }

export function comparePair(
  runs: readonly ChartRun[],
  names: PairNames,
  { compared, measure }: Question,
): ComparedPair {
  const sides = toSides(runs, compared, names)
  const { largest } = measures[measure]
  const comparison = compareGroups(
    toObservations(sides.left, sides.matchedBy, measure),
    toObservations(sides.right, sides.matchedBy, measure),
    largest === undefined ? {} : { largest },
  )
  return { ...names, sides, comparison }
}

export const allPairs = (values: readonly string[]): PairNames[] =>
  values.flatMap((left, place) => values.slice(place + 1).map((right) => ({ left, right })))

/** More pairs than this are not compared unasked: after correction hardly any of them could be resolved. */
export const mostPairs = 190

export type CorrectedPair = ComparedPair & { correctedP: number | null }

const sliceMs = 12

/** Every pair, a few milliseconds at a time so that the page stays quick, then Holm's correction over all of them. */
export async function compareAllPairs(
  runs: readonly ChartRun[],
  pairs: readonly PairNames[],
  question: Question,
  signal: AbortSignal,
): Promise<CorrectedPair[]> {
  const compared: ComparedPair[] = []
  let started = performance.now()
  for (const pair of pairs) {
    if (performance.now() - started > sliceMs) {
      await new Promise((resume) => setTimeout(resume))
      signal.throwIfAborted()
      started = performance.now()
    }
    compared.push(comparePair(runs, pair, question))
  }
  const corrected = holm(compared.map(({ comparison }) => comparison.pValue))
  return compared.map((pair, place) => ({ ...pair, correctedP: corrected[place] ?? null }))
}
