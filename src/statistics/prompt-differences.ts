import type { MatchedCell } from './match-cells.ts'
import { meanOf } from './moments.ts'

/** One prompt in both groups: each side the mean of its cells' means, so that every cell of a prompt counts the same. */
export type PromptDifference = { prompt: string | null; left: number; right: number; difference: number }

export function promptDifferences(cells: readonly MatchedCell[]): PromptDifference[] {
  const byPrompt = Map.groupBy(cells, ({ prompts }) => prompts[0] ?? null)
  const means = [...byPrompt].map(([prompt, ofPrompt]) => ({
    prompt,
    left: meanOf(ofPrompt.map(({ left }) => meanOf(left))),
    right: meanOf(ofPrompt.map(({ right }) => meanOf(right))),
  }))
  const differences = differencesOf(means)
  return means.map((mean, place) => ({ ...mean, difference: differences[place] ?? 0 }))
}

/** What is nearer than this to its neighbours, against the means it was subtracted from, differs by rounding alone. */
const rounding = 1e-9

/**
 * Left minus right of each pair of means. Where only rounding tells the differences apart they are made equal: 0.9 − 0.8
 * is not 0.8 − 0.7 to a computer, and a spread of 10⁻¹⁷ would make certainty of chance.
 */
export function differencesOf(means: readonly { left: number; right: number }[]): number[] {
  const differences = means.map(({ left, right }) => left - right)
  const scale = Math.max(...means.flatMap(({ left, right }) => [Math.abs(left), Math.abs(right)]))
  if (Math.max(...differences) - Math.min(...differences) > rounding * scale) return differences
  const [first = 0] = differences
  return differences.map(() => (Math.abs(first) <= rounding * scale ? 0 : first))
}
