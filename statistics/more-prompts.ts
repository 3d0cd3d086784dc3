import type { Comparison } from './compare-groups.ts'
import { askedScoreError } from './compare-prompts.ts'
import { toStratum } from './match-cells.ts'
import { type NoSuggestion, maxRepeats, whyNoSuggestion, isPreciseEnough, withMore } from './more-repeats.ts'
import { meanOf, varianceOf } from './moments.ts'
import { isSingle } from './precision.ts'
import { fewestPrompts } from './scope.ts'
import { scoreErrorOf } from './score-error.ts'

/**
 * How many more prompts like the matched ones would resolve the difference, and whether more repeats would. Where prompts
 * are variants of tasks, `prompts` counts tasks with as many variants each.
 */
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
 * The differences of prompts, or of tasks, vary between them and between the runs of a prompt. More prompts reduce both parts;
 * more repeats reduce only the second. If prompts differ much, no number of repeats is enough.
 */
export function morePrompts(comparison: Comparison): MorePrompts | NoSuggestion {
  const none = whyNoSuggestion(comparison)
  if (none) return none
  const { cells, difference, precision } = comparison
  const matched = (precision?.degrees ?? 0) + 1
  const variance = (precision?.standardError ?? 0) ** 2 * matched
  const strata = cells.map(toStratum)
  const scoreVariance = (added: number) => askedScoreError(scoreErrorOf(withMore(strata, added))) ** 2 * matched
  const isEnough = (prompts: number, spread: number, scoreSpread: number) =>
    prompts >= fewestPrompts &&
    isPreciseEnough(
      { standardError: Math.sqrt(spread / prompts), degrees: prompts - 1 },
      difference ?? 0,
      Math.sqrt(scoreSpread / prompts),
    )
  const scoreNow = scoreVariance(0)
  const added = fewest(maxPrompts, (more) => isEnough(matched + more, variance, scoreNow))
  return {
    kind: 'prompts',
    prompts: added ?? maxPrompts,
    isMoreThan: added === null,
    repeats: repeatsInstead(cells, { variance, tasks: matched }, (spread, more) =>
      isEnough(matched, spread, scoreNow === 0 ? 0 : scoreVariance(more)),
    ),
  }
}

function repeatsInstead(
  cells: Comparison['cells'],
  { variance, tasks }: { variance: number; tasks: number },
  isEnough: (spread: number, more: number) => boolean,
): MorePrompts['repeats'] {
  if (cells.some((cell) => isSingle(toStratum(cell)))) return 'unknown'
  const within = (more: number) => withinTasks(cells, tasks, more)
  const between = Math.max(0, variance - within(0))
  return fewest(maxRepeats, (more) => isEnough(between + within(more), more)) ?? 'never'
}

/** The variance that runs alone cause in the differences of tasks, with `added` more runs in every cell. */
function withinTasks(cells: Comparison['cells'], tasks: number, added: number) {
  const byPrompt = Map.groupBy(cells, ({ prompts }) => prompts[0])
  const ofPrompts = meanOf(
    [...byPrompt.values()].map((ofPrompt) => {
      const parts = ofPrompt.flatMap(({ left, right }) =>
        [left, right].map((values) => varianceOf(values) / (values.length + added)),
      )
      return parts.reduce((sum, part) => sum + part, 0) / ofPrompt.length ** 2
    }),
  )
  return (ofPrompts * tasks) / byPrompt.size
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
