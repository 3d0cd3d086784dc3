import { counted, percent } from '#src/format/numbers.ts'
import { usdBeside } from '#src/format/money.ts'
import { scoreMean } from '#src/format/scores.ts'
import { type Answer, answerText } from '#src/shared/leaderboard/answer.ts'
import { intervalText } from '#src/shared/leaderboard/rate-words.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'

/** A leaderboard as text: its answer, then a line per group. */
export const quoteLeaderboard = (rows: readonly LeaderboardRow[], answer: Answer, score: string | null) =>
  [
    answerText(answer),
    ...rows.map((row) => lineOf(row, score, usdBeside(rows.map(({ costPerSolved }) => costPerSolved)))),
  ].join('\n')

function lineOf(row: LeaderboardRow, score: string | null, usd: ReturnType<typeof usdBeside>) {
  const { rank, label, costPerSolved } = row
  const place = `${rank ? `${rank.rank}. ` : ''}${label}: `
  if (score !== null) return `${place}${scoreWords(row, score)}`
  const { share, runs } = row.solved
  const cost = costPerSolved === null ? '' : `, ${usd(costPerSolved)} per solved run`
  return `${place}solved ${percent(share, 1)}${intervalText(row)} of ${runs} runs${cost}`
}

function scoreWords({ measuredMean: { mean, interval, runs } }: LeaderboardRow, score: string) {
  if (mean === null) return `no run with a known ${score}`
  const range = interval ? ` (95 % CI ${scoreMean(interval.low)} to ${scoreMean(interval.high)})` : ''
  return `mean ${score} ${scoreMean(mean)}${range} over ${counted(runs, 'run')}`
}
