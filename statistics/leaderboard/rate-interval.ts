import type { Interval } from '#statistics/bootstrap.ts'
import { differencesOf } from '#statistics/prompt-differences.ts'
import { precisionOf, type Precision } from '#statistics/samples.ts'
import type { Scope } from '#statistics/scope.ts'
import { tOfTail } from '#statistics/student.ts'
import { significance } from '#statistics/verdict.ts'

/** The runs of one group on one prompt: how many, their mean, and their variance (n − 1; null for a single run). */
export type PromptRuns = { runs: number; mean: number; variance: number | null }

/** A share of runs from 0 to 1 with its 95 % interval; null where nothing is known. */
export type Rate = { share: number | null; interval: Interval | null; runs: number }

/** The mean of a measure that has no largest value, such as a cost, with its 95 % interval. */
export type Mean = { mean: number | null; interval: Interval | null; runs: number }

/**
 * The mean over all runs of a group, and its 95 % interval for a scope. For prompts like these, the prompts are a random
 * sample and their runs are clusters: the mean is a ratio of sums over prompts, with the variance of its linear form
 * (Cochran 1977, chapter 6; Miller 2024, "Adding error bars to evals") and Student's t with one degree less than there
 * are prompts. With as many runs on every prompt this is the interval of the mean of the prompts' means. For these
 * prompts, only runs of the same prompt vary: a stratified mean with the degrees of freedom of Satterthwaite, never
 * narrower than `unvaryingReach`. docs/decisions/029-leaderboard.md has both.
 */
export function rateOf(prompts: readonly PromptRuns[], scope: Scope): Rate {
  const { mean: share, precision, counted, runs } = estimate(prompts, scope)
  if (share === null || !precision) return { share, interval: null, runs }
  const { standardError, degrees } = precision
  if (standardError === 0 && scope === 'prompts like these')
    return { share, interval: wilson(share, counted.length), runs }
  const reach = standardError === 0 ? 0 : tOfTail(significance, degrees) * standardError
  const least = scope === 'these prompts' ? unvaryingReach(counted, runs) : { low: 0, high: 0 }
  const interval = {
    low: Math.max(0, share - Math.max(reach, least.low)),
    high: Math.min(1, share + Math.max(reach, least.high)),
  }
  return { share, interval, runs }
}

/** Like `rateOf` for an amount of at least zero. Where no run differs from another there is no interval. */
export const amountOf = (prompts: readonly PromptRuns[], scope: Scope): Mean => meanOfRuns(prompts, scope, 0)

/** Like `amountOf` for a score, which may have any scale and can be negative. */
export const scoreMeanOf = (prompts: readonly PromptRuns[], scope: Scope): Mean => meanOfRuns(prompts, scope, -Infinity)

function meanOfRuns(prompts: readonly PromptRuns[], scope: Scope, least: number): Mean {
  const { mean, precision, runs } = estimate(prompts, scope)
  if (mean === null || !precision || precision.standardError === 0) return { mean, interval: null, runs }
  const reach = tOfTail(significance, precision.degrees) * precision.standardError
  return { mean, interval: { low: Math.max(least, mean - reach), high: mean + reach }, runs }
}

function estimate(prompts: readonly PromptRuns[], scope: Scope) {
  const counted = prompts.filter((prompt) => prompt.runs > 0)
  const runs = counted.reduce((sum, prompt) => sum + prompt.runs, 0)
  if (runs === 0) return { mean: null, precision: null, counted, runs }
  const mean = counted.reduce((sum, prompt) => sum + prompt.runs * prompt.mean, 0) / runs
  const precision = scope === 'prompts like these' ? ofClusters(counted, mean, runs) : ofStrata(counted, runs)
  return { mean, precision, counted, runs }
}

function ofClusters(prompts: readonly PromptRuns[], share: number, runs: number): Precision | null {
  const size = prompts.length
  if (size < 2) return null
  const distances = differencesOf(prompts.map(({ mean }) => ({ left: mean, right: share })))
  const squares = prompts.reduce((sum, { runs: own }, place) => sum + (own * (distances[place] ?? 0)) ** 2, 0)
  return { standardError: Math.sqrt((squares * size) / (size - 1)) / runs, degrees: size - 1 }
}

/** Prompts with a single run say nothing of how runs vary, so together they are one sample, which errs on the wide side. */
function ofStrata(prompts: readonly PromptRuns[], runs: number): Precision | null {
  const repeated = prompts.filter((prompt) => prompt.runs > 1)
  const single = prompts.filter((prompt) => prompt.runs === 1)
  if (single.length === 1) return null
  const spreads = repeated.map((prompt) => ({
    weight: prompt.runs / runs,
    size: prompt.runs,
    variance: prompt.variance ?? 0,
  }))
  if (single.length > 1) {
    const mean = single.reduce((sum, prompt) => sum + prompt.mean, 0) / single.length
    const variance = single.reduce((sum, prompt) => sum + (prompt.mean - mean) ** 2, 0) / (single.length - 1)
    spreads.push({ weight: single.length / runs, size: single.length, variance })
  }
  return precisionOf(spreads)
}

/**
 * How far the share may be from the true one, in each direction, because of prompts whose runs are all alike: they show
 * no spread, but some of their runs would differ. Runs of prompts that are all solved count as draws of one share, and
 * so do runs of those that are never solved: at the same mean, unequal prompts are less likely to give only alike runs
 * (the inequality of the arithmetic and the geometric mean), so Wilson's interval errs on the wide side.
 */
function unvaryingReach(prompts: readonly PromptRuns[], runs: number): Interval {
  const single = prompts.filter((prompt) => prompt.runs === 1)
  const isAlike = single.every(({ mean }) => mean === single[0]?.mean)
  const unvarying = prompts.filter((prompt) => (prompt.runs === 1 ? isAlike : prompt.variance === 0))
  const kinds = Map.groupBy(unvarying, ({ mean }) => (mean === 0 || mean === 1 ? mean : 'between'))
  let [low, high] = [0, 0]
  for (const alike of kinds.values()) {
    const size = alike.reduce((sum, prompt) => sum + prompt.runs, 0)
    const share = alike.reduce((sum, prompt) => sum + prompt.runs * prompt.mean, 0) / size
    const ends = wilson(share, size)
    low += ((size / runs) * (share - ends.low)) ** 2
    high += ((size / runs) * (ends.high - share)) ** 2
  }
  return { low: Math.sqrt(low), high: Math.sqrt(high) }
}

/** Wilson's score interval (1927) of a share of `size` independent draws. */
function wilson(share: number, size: number): Interval {
  const z = tOfTail(significance, Infinity)
  const middle = (share + z ** 2 / (2 * size)) / (1 + z ** 2 / size)
  const reach = (z / (1 + z ** 2 / size)) * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2))
  return { low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) }
}
