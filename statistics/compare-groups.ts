import { bootstrapDeviations, bootstrapDraws, intervalOf, pValueOf } from './bootstrap.ts'
import { comparePrompts, isSettled } from './compare-prompts.ts'
import { type MatchedCell, type Matching, type Observation, type RunUse, isSingle, matchCells } from './match-cells.ts'
import { meanOf } from './moments.ts'
import { permutationP, smallestPossibleP } from './permutation.ts'
import { promptDifferences } from './prompt-differences.ts'
import { estimateOf, precisionOf, spreadOf, toSamples } from './samples.ts'
import type { Scope } from './scope.ts'
import { seededRandom } from './seeded-random.ts'
import { type Finding, significance, verdictAt, clampInterval } from './verdict.ts'

/** One group of a comparison. Its `mean` gives every matched cell, or every matched prompt, the same weight. */
type ComparedGroup = RunUse & { mean: number | null }

export type Comparison = Finding & Matching & { left: ComparedGroup; right: ComparedGroup }

type Options = {
  /** The requested scope of the verdict. Null chooses prompts like these if enough prompts match. */
  scope?: Scope | null
  seed?: number
  /** The largest possible difference of two means, such as 1 for pass rates. Limits the interval. */
  largest?: number
  draws?: number
}

/**
 * Compares two groups of runs. The unit is the run or the prompt, never the test: tests within a run are correlated,
 * and pooling them would call a quarter of equal groups different. docs/decisions/024-what-a-verdict-is-about.md
 * describes both models.
 */
export function compareGroups(
  left: readonly Observation[],
  right: readonly Observation[],
  { scope = null, seed = 1, largest = Infinity, draws = bootstrapDraws }: Options = {},
): Comparison {
  const matching = matchCells(left, right, scope)
  const { cells } = matching
  const finding =
    cells.length === 0
      ? unknownFinding(matching)
      : matching.scope === 'prompts like these'
        ? comparePrompts(cells, largest)
        : compareCells(cells, { largest, draws, random: seededRandom(seed) })
  return { ...matching, ...finding, left: toGroup(matching, 'left'), right: toGroup(matching, 'right') }
}

const unknownFinding = ({ left }: Matching): Finding => ({
  verdict: left.alone > 0 ? 'too few' : 'unmatched',
  difference: null,
  interval: null,
  pValue: null,
  precision: null,
})

type Drawing = { largest: number; draws: number; random: () => number }

/**
 * Pairs runs by cell and resamples them only within cells, so differences between cells cancel. The result applies to
 * these cells, not to other cells that might have been chosen.
 */
function compareCells(cells: readonly MatchedCell[], { largest, draws, random }: Drawing): Finding {
  const samples = toSamples(cells)
  const difference = estimateOf(samples)
  const precision = precisionOf(samples.map(spreadOf))
  if (smallestPossibleP(cells.map(sizesOf)) >= significance)
    return { verdict: 'too few', difference, interval: null, pValue: null, precision }
  if (precision.standardError === 0) return { precision, ...compareConstants(cells, difference, random) }
  const spread = {
    estimate: difference,
    deviations: bootstrapDeviations(samples, random, draws),
    degrees: precision.degrees,
  }
  const pValue = pValueOf(spread, precision)
  const interval = clampInterval(intervalOf(spread, significance), largest)
  return { verdict: verdictAt(pValue), difference, interval, pValue, precision }
}

/** Runs that never vary within a cell have no spread to resample, so only a permutation test remains. */
function compareConstants(cells: readonly MatchedCell[], difference: number, random: () => number) {
  if (cells.every(isSettled)) return { difference, interval: null, pValue: 1, verdict: 'identical' as const }
  const pValue = permutationP(cells, difference, random)
  return { difference, interval: null, pValue, verdict: verdictAt(pValue) }
}

/** A cell with single runs is one pair with two possible labelings. */
export const sizesOf = (cell: MatchedCell) =>
  isSingle(cell) ? { left: 1, right: 1 } : { left: cell.left.length, right: cell.right.length }

function toGroup({ scope, cells, ...uses }: Matching, side: 'left' | 'right'): ComparedGroup {
  if (cells.length === 0) return { ...uses[side], mean: null }
  const parts =
    scope === 'prompts like these'
      ? promptDifferences(cells).map((prompt) => prompt[side])
      : cells.map((cell) => meanOf(cell[side]))
  return { ...uses[side], mean: meanOf(parts) }
}
