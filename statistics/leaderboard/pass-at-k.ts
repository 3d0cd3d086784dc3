import type { Interval } from '#statistics/verdict.ts'
import type { Scope } from '#statistics/scope.ts'
import { rateOf } from './rate-interval.ts'

/** The runs of one prompt: how many count, and how many of them solved it. */
export type Solved = { runs: number; solved: number }

/** A mean over the prompts with at least k runs, its 95 % interval, and how many prompts they are. */
export type MeanOverPrompts = { mean: number | null; interval: Interval | null; prompts: number }

/**
 * The chance that at least one of k runs solves a prompt: the mean over prompts of 1 − C(n − c, k) ÷ C(n, k), where c of
 * the prompt's n runs are solved (Chen et al. 2021, equation 1). No prompt's estimate is biased, so neither is the mean.
 */
export const passAtK = (prompts: readonly Solved[], k: number, scope: Scope): MeanOverPrompts =>
  meanOver(prompts, { k, scope }, ({ runs, solved }) => 1 - allAmong(runs - solved, runs, k))

/** The chance that all of k runs solve a prompt: the mean over prompts of C(c, k) ÷ C(n, k) (Yao et al. 2024, pass^k). */
export const passToK = (prompts: readonly Solved[], k: number, scope: Scope): MeanOverPrompts =>
  meanOver(prompts, { k, scope }, ({ runs, solved }) => allAmong(solved, runs, k))

/** The chance that k runs drawn from `runs` are all among `some` of them: C(some, k) ÷ C(runs, k). */
function allAmong(some: number, runs: number, k: number) {
  let chance = 1
  for (let drawn = 0; drawn < k; drawn += 1) chance *= Math.max(0, some - drawn) / (runs - drawn)
  return chance
}

/**
 * For prompts like these, each prompt is a cluster with one estimate e, so `rateOf` gives the interval of their mean:
 * mean ± t · √(Σ(e − mean)² ÷ (m(m − 1))) with m − 1 degrees for m prompts (Miller 2024, "Adding error bars to evals").
 * For these prompts there is none: an unbiased variance of e needs 2k runs of the prompt, and is zero where they are alike.
 */
function meanOver(
  prompts: readonly Solved[],
  { k, scope }: { k: number; scope: Scope },
  of: (prompt: Solved) => number,
): MeanOverPrompts {
  const enough = prompts.filter(({ runs }) => runs >= k)
  const estimates = enough.map((prompt) => ({ runs: 1, mean: of(prompt), variance: null }))
  const { share, interval } = rateOf(estimates, 'prompts like these')
  return { mean: share, interval: scope === 'prompts like these' ? interval : null, prompts: enough.length }
}
