import type { LeaderboardGroup, LeaderboardSummary } from '#contract/leaderboard.ts'

const distribution = { n: 0, missing: 0, mean: null, sd: null, min: null, q1: null, median: null, q3: null, max: null }

/** For tests: a group with so many solved of so many runs on each prompt. */
export function groupOf(
  name: string,
  tallies: readonly (readonly [solved: number, runs: number])[],
  paid = { costUsd: 0, runs: 0, solved: 0 },
): LeaderboardGroup {
  return {
    group: name,
    values: [name],
    runs: tallies.reduce((sum, [, runs]) => sum + runs, 0),
    canceled: 0,
    errored: 0,
    timedOut: 0,
    costUsd: distribution,
    paid,
    wallSeconds: { n: 0, missing: 0, p50: null, p90: null },
    totalTokens: distribution,
    toolFailures: distribution,
    prompts: {
      prompt: tallies.map((_, prompt) => prompt),
      runs: tallies.map(([, runs]) => runs),
      solved: tallies.map(([solved]) => solved),
      scored: tallies.map(([, runs]) => runs),
      passRate: tallies.map(([solved, runs]) => (runs === 0 ? null : solved / runs)),
      passRateVariance: tallies.map(() => null),
      ...(paid.runs > 0 && { paid: paidOf(name, tallies, paid) }),
    },
  }
}

/** Prompts differ in what their runs cost, in another order for each group; on average as much as `paid` says. */
function paidOf(
  name: string,
  tallies: readonly (readonly [solved: number, runs: number])[],
  paid: { costUsd: number; runs: number },
) {
  const mean = paid.costUsd / paid.runs
  const place = name.charCodeAt(0)
  return {
    runs: tallies.map(([, runs]) => runs),
    solved: tallies.map(([solved]) => solved),
    costUsd: tallies.map((_, prompt) => mean * (0.8 + (((1 + (place % 4)) * prompt + place) % 5) / 10)),
    costVariance: tallies.map(([, runs]) => (runs > 1 ? (mean / 4) ** 2 : null)),
    covariance: tallies.map(([, runs]) => (runs > 1 ? 0 : null)),
  }
}

export const boardOf = (...groups: LeaderboardGroup[]): LeaderboardSummary => ({
  groupBy: 'agent',
  version: 'all',
  excludedTestAwareRuns: 0,
  leftOutRuns: {},
  mixedImages: [],
  axes: ['agent'],
  prompts: Array.from({ length: 100 }, (_, prompt) => `prompt ${prompt}`),
  groups,
})

/** For tests: a group whose share of solved runs varies little over twenty prompts. */
export const steady = (name: string, solved: number, paid?: LeaderboardGroup['paid']) =>
  groupOf(
    name,
    Array.from({ length: 20 }, (_, prompt) => [Math.max(0, Math.min(5, solved + (prompt % 3) - 1)), 5] as const),
    paid,
  )
