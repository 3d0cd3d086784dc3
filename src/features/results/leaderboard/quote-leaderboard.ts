import { percent } from '#src/format/numbers.ts'
import { usd } from '#src/format/money.ts'
import type { LeaderboardRow } from '#src/statistics/leaderboard/leaderboard-rows.ts'

/** A leaderboard as text: its answer, then a line per group. */
export const quoteLeaderboard = (rows: readonly LeaderboardRow[], answer: string) =>
  [answer, ...rows.map(lineOf)].join('\n')

function lineOf({ rank, label, solved: { share, interval, runs }, costPerSolved }: LeaderboardRow) {
  const range = interval ? ` (95 % CI ${percent(interval.low, 1)} to ${percent(interval.high, 1)})` : ''
  const cost = costPerSolved === null ? '' : `, ${usd(costPerSolved)} per solved task`
  return `${rank ? `${rank.rank}. ` : ''}${label}: solved ${percent(share, 1)}${range} of ${runs} runs${cost}`
}
