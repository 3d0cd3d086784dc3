import { differencesOf } from './differences.ts'
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
