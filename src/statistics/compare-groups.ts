import { type Interval, bootstrapDeviations, bootstrapDraws, intervalOf, pValueOf } from './bootstrap.ts'
import { type MatchedCell, type Observation, type RunUse, isSingle, matchCells } from './match-cells.ts'
import { meanOf } from './moments.ts'
import { permutationP, smallestPossibleP } from './permutation.ts'
import { type Precision, estimateOf, precisionOf, spreadOf, toSamples } from './samples.ts'
import { seededRandom } from './seeded-random.ts'

/** A verdict is never given where `smallestPossibleP` or the interval does not allow it. */
export const significance = 0.05

/**
 * - `differs`: zero is outside the interval;
 * - `unresolved`: it is inside;
 * - `identical`: every run of both groups has its cell's one value, so there is nothing to tell apart;
 * - `too few`: no outcome of so few runs could be told from chance;
 * - `unmatched`: the groups have no cell in common.
 */
type Verdict = 'differs' | 'unresolved' | 'identical' | 'too few' | 'unmatched'

/** One group of a comparison; `mean` weighs every matched cell the same. */
type ComparedGroup = RunUse & { mean: number | null }

export type Comparison = {
  verdict: Verdict
  left: ComparedGroup
  right: ComparedGroup
  cells: readonly MatchedCell[]
  /** Left minus right: the mean over the matched cells of the differences within them. */
  difference: number | null
  /** 95 %; null where too few runs, or none that varies, leave nothing to compute it from. */
  interval: Interval | null
  pValue: number | null
  precision: Precision | null
}

type Options = {
  seed?: number
  /** How far apart two means can be at most: 1 for pass rates. The interval ends there. */
  largest?: number
  draws?: number
}

/**
 * Compares two groups of runs. The unit is the run, because the tests within one are correlated: pooling them calls a
 * quarter of equal groups different. Runs are paired by cell and drawn again within cells only, so what cells have in
 * common cancels, and the answer is about these cells, not about others that might have been chosen.
 */
export function compareGroups(
  left: readonly Observation[],
  right: readonly Observation[],
  { seed = 1, largest = Infinity, draws = bootstrapDraws }: Options = {},
): Comparison {
  const matching = matchCells(left, right)
  const { cells } = matching
  const facts = { ...matching, left: toGroup(matching, 'left'), right: toGroup(matching, 'right') }
  const unknown = { difference: null, interval: null, pValue: null, precision: null }
  if (cells.length === 0) {
    const isAlone = matching.left.alone > 0
    return { ...facts, ...unknown, verdict: isAlone ? 'too few' : 'unmatched' }
  }
  const samples = toSamples(cells)
  const difference = estimateOf(samples)
  const precision = precisionOf(samples.map(spreadOf))
  if (smallestPossibleP(cells.map(sizesOf)) >= significance)
    return { ...facts, ...unknown, verdict: 'too few', difference, precision }
  const random = seededRandom(seed)
  if (precision.standardError === 0) return { ...facts, precision, ...compareConstants(cells, difference, random) }

  const spread = {
    estimate: difference,
    deviations: bootstrapDeviations(samples, random, draws),
    degrees: precision.degrees,
  }
  const { low, high } = intervalOf(spread, significance)
  const pValue = pValueOf(spread, precision)
  return {
    ...facts,
    verdict: pValue < significance ? 'differs' : 'unresolved',
    difference,
    interval: { low: Math.max(low, -largest), high: Math.min(high, largest) },
    pValue,
    precision,
  }
}

/** Runs that never vary within a cell have no spread to draw from; only the arrangement of their names is left to chance. */
function compareConstants(cells: readonly MatchedCell[], difference: number, random: () => number) {
  if (difference === 0 && !cells.some(isSplit))
    return { difference, interval: null, pValue: 1, verdict: 'identical' as const }
  const pValue = permutationP(cells, difference, random)
  const verdict: Verdict = pValue < significance ? 'differs' : 'unresolved'
  return { difference, interval: null, pValue, verdict }
}

const isSplit = ({ left, right }: MatchedCell) => left[0] !== right[0]

/** A cell of single runs is one pair, named one way or the other. */
export const sizesOf = (cell: MatchedCell) =>
  isSingle(cell) ? { left: 1, right: 1 } : { left: cell.left.length, right: cell.right.length }

function toGroup({ cells, ...uses }: ReturnType<typeof matchCells>, side: 'left' | 'right'): ComparedGroup {
  const mean = cells.length > 0 ? meanOf(cells.map((cell) => meanOf(cell[side]))) : null
  return { ...uses[side], mean }
}
