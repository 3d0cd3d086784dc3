import type { Comparison } from './compare-groups.ts'
import { toStratum } from './match-cells.ts'
import { type NoSuggestion, maxRepeats, whyNoSuggestion, isPreciseEnough } from './more-repeats.ts'
import { meanOf, varianceOf } from './moments.ts'
import { isSingle } from './precision.ts'
import { promptDifferences } from './prompt-differences.ts'
import { fewestPrompts } from './scope.ts'

/** How many more prompts like the matched ones would resolve the difference, and whether more repeats would. */
export type MorePrompts = {
  kind: 'prompts'
  prompts: number
  /** True if even `prompts`, the largest suggested number, is not enough. */
  isMoreThan: boolean
  /**
   * More repeats of every matched cell; `unknown` if single runs do not show how much of the spread comes from runs.
   */
  repeats: number | 'never' | 'unknown'
}

const maxPrompts = 1000

/**
 * The differences of prompts vary between prompts and between the runs of a prompt. More prompts reduce both parts;
 * more repeats reduce only the second. If prompts differ much, no number of repeats is enough.
 */
export function morePrompts(comparison: Comparison): MorePrompts | NoSuggestion {
  const none = whyNoSuggestion(comparison)
  if (none) return none
  const { cells, difference } = comparison
  const differences = promptDifferences(cells).map((prompt) => prompt.difference)
  const variance = varianceOf(differences)
  const matched = differences.length
  const isEnough = (prompts: number, spread: number) =>
    prompts >= fewestPrompts &&
    isPreciseEnough({ standardError: Math.sqrt(spread / prompts), degrees: prompts - 1 }, difference ?? 0)
  const added = fewest(maxPrompts, (more) => isEnough(matched + more, variance))
  return {
    kind: 'prompts',
    prompts: added ?? maxPrompts,
    isMoreThan: added === null,
    repeats: repeatsInstead(cells, variance, (spread) => isEnough(matched, spread)),
  }
}

function repeatsInstead(
  cells: Comparison['cells'],
  variance: number,
  isEnough: (spread: number) => boolean,
): MorePrompts['repeats'] {
  if (cells.some((cell) => isSingle(toStratum(cell)))) return 'unknown'
  const between = Math.max(0, variance - withinPrompts(cells, 0))
  return fewest(maxRepeats, (more) => isEnough(between + withinPrompts(cells, more))) ?? 'never'
}

/** The variance that runs alone cause in the differences of prompts, with `added` more runs in every cell. */
function withinPrompts(cells: Comparison['cells'], added: number) {
  const byPrompt = Map.groupBy(cells, ({ prompts }) => prompts[0])
  return meanOf(
    [...byPrompt.values()].map((ofPrompt) => {
      const parts = ofPrompt.flatMap(({ left, right }) =>
        [left, right].map((values) => varianceOf(values) / (values.length + added)),
      )
      return parts.reduce((sum, part) => sum + part, 0) / ofPrompt.length ** 2
    }),
  )
}

/** The smallest number from 1 up from which on every number is enough; null if even the largest is not. */
function fewest(largest: number, isEnough: (number: number) => boolean) {
  if (!isEnough(largest)) return null
  let [low, high] = [0, largest]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}
