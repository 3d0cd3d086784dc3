import { comparePrompts } from '#statistics/compare-prompts.ts'
import { meanOf } from '#statistics/moments.ts'
import { differencesOf } from '#statistics/prompt-differences.ts'
import { precisionOf } from '#statistics/samples.ts'
import type { Scope } from '#statistics/scope.ts'
import { tailOfT, tOfTail } from '#statistics/student.ts'
import { clampInterval, significance } from '#statistics/verdict.ts'
import { type PairedDifference, nothingPaired } from './rank-groups.ts'
import type { PromptRuns } from './rate-interval.ts'

type ByPrompt = ReadonlyMap<string, PromptRuns>

type Pair = { prompt: string; left: PromptRuns; right: PromptRuns }

/**
 * The difference of two groups' means of a measure, left minus right, over the prompts that both have values on, as
 * `pairedDifference` does it for solved runs: every prompt has the same weight, and t is over prompts or, for these
 * prompts only, over their runs.
 */
export function pairedMeans(left: ByPrompt, right: ByPrompt, scope: Scope, largest = Infinity): PairedDifference {
  const pairs = [...left].flatMap(([prompt, one]): Pair[] => {
    const other = right.get(prompt)
    return other ? [{ prompt, left: one, right: other }] : []
  })
  if (pairs.length === 0) return nothingPaired
  if (scope === 'these prompts') return compareStrata(pairs, largest)
  const cells = pairs.map((pair) => ({
    cell: pair.prompt,
    prompts: [pair.prompt],
    left: [pair.left.mean],
    right: [pair.right.mean],
  }))
  return comparePrompts(cells, largest)
}

function compareStrata(pairs: readonly Pair[], largest: number): PairedDifference {
  const means = pairs.map((pair) => ({ left: pair.left.mean, right: pair.right.mean }))
  const difference = meanOf(differencesOf(means))
  const sides = pairs.flatMap((pair) => [pair.left, pair.right])
  if (sides.some(({ variance }) => variance === null)) return { difference, interval: null, pValue: null }
  const weight = 1 / pairs.length
  const { standardError, degrees } = precisionOf(
    sides.map(({ runs, variance }) => ({ weight, size: runs, variance: variance ?? 0 })),
  )
  // Values that never differ have no spread to tell chance by.
  if (standardError === 0) return { difference, interval: null, pValue: null }
  const reach = tOfTail(significance, degrees) * standardError
  const interval = clampInterval({ low: difference - reach, high: difference + reach }, largest)
  return { difference, interval, pValue: tailOfT(difference / standardError, degrees) }
}
