import { decimalsOfRate, percent } from '#src/format/numbers.ts'
import { usdBeside } from '#src/format/money.ts'
import { type Answer, answerText, intervalText } from '#src/leaderboard/decide.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'

/** A leaderboard as text: its answer, then a line per group. */
export const quoteLeaderboard = (rows: readonly LeaderboardRow[], answer: Answer) =>
  [
    answerText(answer),
    ...rows.map((row) => lineOf(row, usdBeside(rows.map(({ costPerSolved }) => costPerSolved)))),
  ].join('\n')

function lineOf(row: LeaderboardRow, usd: ReturnType<typeof usdBeside>) {
  const { rank, label, costPerSolved } = row
  const { share, runs } = row.solved
  const cost = costPerSolved === null ? '' : `, ${usd(costPerSolved)} per solved run`
  return `${rank ? `${rank.rank}. ` : ''}${label}: solved ${percent(share, decimalsOfRate(runs))}${intervalText(row)} of ${runs} runs${cost}`
}
