import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { scopeOfLeaderboard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { type Trend, toTrends } from '#statistics/leaderboard/trends.ts'

const known = new WeakMap<LeaderboardSummary, readonly Trend[]>()

/** The solved rates over the steps of a summary. Several parts of a page show them, and intervals take long to compute. */
export function solvedTrends(summary: LeaderboardSummary): readonly Trend[] {
  const found = known.get(summary)
  if (found) return found
  const trends = toTrends(summary, scopeOfLeaderboard(summary, null))
  known.set(summary, trends)
  return trends
}
