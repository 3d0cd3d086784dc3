import type { Kappa } from '#contract/reviews.ts'

/** How many runs got one pair of categories. */
export type Pair = { first: string; second: string; runs: number }

/**
 * Cohen's κ = (p₀ − pₑ) / (1 − pₑ): p₀ is the share of runs on which both chose the same category, pₑ the share expected
 * if each had chosen with their own frequencies, but by chance. Null without runs, and if both used the same single
 * category for all of them: agreement by chance is then certain, and 0 ÷ 0 has no value.
 */
export function cohensKappa(pairs: readonly Pair[]): Kappa {
  const runs = pairs.reduce((sum, pair) => sum + pair.runs, 0)
  const agreed = pairs.reduce((sum, { first, second, runs }) => sum + (first === second ? runs : 0), 0)
  if (runs === 0) return { runs, agreed, observed: null, expected: null, kappa: null }
  const firsts = countBy(pairs, ({ first }) => first)
  const seconds = countBy(pairs, ({ second }) => second)
  let byChance = 0
  for (const [category, count] of firsts) byChance += count * (seconds.get(category) ?? 0)
  const all = runs * runs
  return {
    runs,
    agreed,
    observed: agreed / runs,
    expected: byChance / all,
    kappa: byChance === all ? null : (agreed * runs - byChance) / (all - byChance),
  }
}

function countBy(pairs: readonly Pair[], categoryOf: (pair: Pair) => string) {
  const counts = new Map<string, number>()
  for (const pair of pairs) counts.set(categoryOf(pair), (counts.get(categoryOf(pair)) ?? 0) + pair.runs)
  return counts
}
