import type { LeaderboardGroup, LeaderboardSummary } from '#contract/leaderboard.ts'
import type { RunSummary } from '#statistics/run-summary.ts'
import type { PaidRuns } from './cost-ratio.ts'
import type { Solved } from './pass-at-k.ts'

/** The task of a prompt by its place, if any prompt of the summary names one; without one of its own it's the prompt itself. */
export const taskAt = ({ tasks, prompts }: LeaderboardSummary, prompt: number) =>
  tasks && { task: tasks[prompt] ?? prompts[prompt] ?? '' }

/** The runs of a group that count, by prompt. */
export function solvedByPrompt(summary: LeaderboardSummary, { prompts: tallies }: LeaderboardGroup) {
  const solved = new Map<string, Solved>()
  for (const [place, prompt] of tallies.prompt.entries()) {
    const runs = tallies.runs[place] ?? 0
    if (runs > 0)
      solved.set(summary.prompts[prompt] ?? '', {
        runs,
        solved: tallies.solved[place] ?? 0,
        ...taskAt(summary, prompt),
      })
  }
  return solved
}

/** The metric that the summary was asked for, on each prompt with a value. */
export function measuredByPrompt(summary: LeaderboardSummary, { prompts: tallies }: LeaderboardGroup) {
  const measured = new Map<string, RunSummary>()
  const { runs = [], mean = [], variance = [] } = tallies.measured ?? {}
  for (const [place, prompt] of tallies.prompt.entries()) {
    const value = mean[place] ?? null
    if (value !== null)
      measured.set(summary.prompts[prompt] ?? '', {
        runs: runs[place] ?? 0,
        mean: value,
        variance: variance[place] ?? null,
        ...taskAt(summary, prompt),
      })
  }
  return measured
}

/** The counted runs of a group whose cost is known, by prompt. */
export function paidByPrompt(summary: LeaderboardSummary, { prompts: { prompt: places, paid } }: LeaderboardGroup) {
  const found = new Map<string, PaidRuns>()
  for (const [place, prompt] of places.entries()) {
    const [runs = 0, costUsd = null] = [paid?.runs[place], paid?.costUsd[place]]
    if (runs > 0 && costUsd !== null)
      found.set(summary.prompts[prompt] ?? '', {
        runs,
        solved: (paid?.solved[place] ?? 0) / runs,
        costUsd,
        costVariance: paid?.costVariance[place] ?? null,
        covariance: paid?.covariance[place] ?? null,
        ...taskAt(summary, prompt),
      })
  }
  return found
}
