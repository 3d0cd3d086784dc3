import type { Comparison } from './compare-groups.ts'
import { isSingle } from './match-cells.ts'
import { type NoSuggestion, maxRepeats, whyNoSuggestion, isPreciseEnough } from './more-repeats.ts'
import { meanOf, varianceOf } from './moments.ts'
import { promptDifferences } from './prompt-differences.ts'
import { fewestPrompts } from './scope.ts'

/** How many more prompts like those matched would show a difference, and whether repeats of those would instead. */
export type MorePrompts = {
  kind: 'prompts'
  prompts: number
  /** There are so many that the difference is hardly worth them; `prompts` is where the counting ended. */
  isMoreThan: boolean
  /** Of every matched cell; `unknown` where single runs do not tell how much of the spread is theirs. */
  repeats: number | 'never' | 'unknown'
}

const maxPrompts = 1000

/**
 * The spread of the prompts' differences is that between prompts and that of the runs within them. More prompts shrink
 * both; more repeats only the second, so where prompts differ much no number of repeats is enough.
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
  if (cells.some(isSingle)) return 'unknown'
  const between = Math.max(0, variance - withinPrompts(cells, 0))
  return fewest(maxRepeats, (more) => isEnough(between + withinPrompts(cells, more))) ?? 'never'
}

/** What runs alone would make the differences of prompts vary by, with so many more of them in every cell. */
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

/** The smallest number from 1 on that is enough, where every larger one is too; null where the largest is not. */
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
