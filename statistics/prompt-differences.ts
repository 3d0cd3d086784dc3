import { differencesOf } from './differences.ts'
import type { MatchedCell } from './match-cells.ts'
import { meanOf } from './moments.ts'

type PromptDifference = ReturnType<typeof promptMeans>[number] & { difference: number }

/**
 * One prompt in both groups. Each side is the mean of its cells' means, so every cell of a prompt has the same weight.
 */
export function promptMeans(cells: readonly MatchedCell[]) {
  const byPrompt = Map.groupBy(cells, ({ prompts }) => prompts[0] ?? null)
  return [...byPrompt].map(([prompt, ofPrompt]) => ({
    prompt,
    task: ofPrompt[0]?.task,
    left: meanOf(ofPrompt.map(({ left }) => meanOf(left))),
    right: meanOf(ofPrompt.map(({ right }) => meanOf(right))),
  }))
}

export function promptDifferences(cells: readonly MatchedCell[]): PromptDifference[] {
  const means = promptMeans(cells)
  const differences = differencesOf(means)
  return means.map((mean, place) => ({ ...mean, difference: differences[place] ?? 0 }))
}
