import type { MatchedCell } from './match-cells.ts'
import { meanOf } from './moments.ts'

/**
 * One prompt in both groups. Each side is the mean of its cells' means, so every cell of a prompt has the same weight.
 */
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

/** Differences closer than this, relative to the means they come from, differ only by rounding. */
const rounding = 1e-9

/**
 * Left minus right of each pair of means. Differences that vary only by rounding are made equal: in floating point 0.9
 * − 0.8 is not 0.8 − 0.7, and a spread of 10⁻¹⁷ would turn chance into certainty.
 */
export function differencesOf(means: readonly { left: number; right: number }[]): number[] {
  const differences = means.map(({ left, right }) => left - right)
  const scale = Math.max(...means.flatMap(({ left, right }) => [Math.abs(left), Math.abs(right)]))
  if (Math.max(...differences) - Math.min(...differences) > rounding * scale) return differences
  const [first = 0] = differences
  return differences.map(() => (Math.abs(first) <= rounding * scale ? 0 : first))
}
