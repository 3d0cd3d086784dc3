import { counted, percent } from '#src/format/numbers.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'

/** `79 %` */
export const shareOf = ({ solved }: LeaderboardRow) => percent(solved.share, 1)

/** ` (95 % CI 48.9 % to 68.6 %)`, or nothing for a row without an interval. */
export const intervalText = ({ solved: { interval } }: LeaderboardRow) =>
  interval ? ` (95 % CI ${percent(interval.low, 1)} to ${percent(interval.high, 1)})` : ''

/**
 * `solves 79 % of its runs`, or `solves 50 % on average over its 20 prompts` if some have more runs than others. Rates on
 * these prompts leave out the only one with a single run: `over 9 of its 10 prompts`.
 */
export function solvesText(row: LeaderboardRow) {
  if (row.lonePrompt !== null)
    return `solves ${shareOf(row)} on average over ${row.prompts.size - 1} of its ${counted(row.prompts.size, 'prompt')}`
  const isEven = new Set([...row.prompts.values()].map(({ runs }) => runs)).size < 2
  return isEven
    ? `solves ${shareOf(row)} of its runs`
    : `solves ${shareOf(row)} on average over its ${counted(row.prompts.size, 'prompt')}`
}
