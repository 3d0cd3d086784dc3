/** The runs of one prompt: how many count, and how many of them solved it. */
export type Solved = { runs: number; solved: number }

/** A mean over the prompts with at least k runs, and how many they are. */
export type MeanOverPrompts = { mean: number | null; prompts: number }

/** The chance that at least one of k runs solves a prompt, unbiased (Chen et al. 2021, equation 1). */
export const passAtK = (prompts: readonly Solved[], k: number): MeanOverPrompts =>
  meanOver(prompts, k, ({ runs, solved }) => 1 - allAmong(runs - solved, runs, k))

/** The chance that all of k runs solve a prompt, unbiased (Yao et al. 2024, pass^k). */
export const passToK = (prompts: readonly Solved[], k: number): MeanOverPrompts =>
  meanOver(prompts, k, ({ runs, solved }) => allAmong(solved, runs, k))

/** The chance that k runs drawn from `runs` are all among `some` of them: C(some, k) ÷ C(runs, k). */
function allAmong(some: number, runs: number, k: number) {
  let chance = 1
  for (let drawn = 0; drawn < k; drawn += 1) chance *= Math.max(0, some - drawn) / (runs - drawn)
  return chance
}

function meanOver(prompts: readonly Solved[], k: number, of: (prompt: Solved) => number): MeanOverPrompts {
  const enough = prompts.filter(({ runs }) => runs >= k)
  if (enough.length === 0) return { mean: null, prompts: 0 }
  return { mean: enough.reduce((sum, prompt) => sum + of(prompt), 0) / enough.length, prompts: enough.length }
}
