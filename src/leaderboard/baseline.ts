import { pointsText } from '#src/format/numbers.ts'
import { holm } from '#statistics/holm.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { pairedMeans } from '#statistics/leaderboard/paired-means.ts'
import { type PairedDifference, pairedDifference } from '#statistics/leaderboard/rank-groups.ts'
import type { Scope } from '#statistics/scope.ts'
import { significance } from '#statistics/verdict.ts'

type BaselineDifference = PairedDifference & {
  correctedP: number | null
  /** How many groups are compared with the baseline. */
  comparisons: number
}

/** How much more each other group solves, or scores, than the baseline. p-values are corrected over these comparisons. */
export function differencesTo(
  baseline: LeaderboardRow,
  rows: readonly LeaderboardRow[],
  scope: Scope,
  differenceOf = pairedDifference as (row: LeaderboardRow, baseline: LeaderboardRow, scope: Scope) => PairedDifference,
): ReadonlyMap<string, BaselineDifference> {
  const others = rows.filter(({ group }) => group !== baseline.group)
  const pairs = others.map((row) => differenceOf(row, baseline, scope))
  const corrected = holm(pairs.map(({ pValue }) => pValue))
  return new Map(
    others.flatMap(({ group }, place) => {
      const pair = pairs[place]
      return pair ? [[group, { ...pair, correctedP: corrected[place] ?? null, comparisons: others.length }]] : []
    }),
  )
}

/** The difference of the means of the measure that the summary was asked for. */
export const scoreDifference = (row: LeaderboardRow, baseline: LeaderboardRow, scope: Scope) =>
  pairedMeans(row.measured, baseline.measured, scope)

/** `−8.3 points, −16.4 to −0.2` and whether that is more than chance. */
export function differenceWords(
  { difference, interval, correctedP, comparisons }: BaselineDifference,
  write: (value: number) => string = pointsText,
  unit = ' points',
) {
  if (difference === null) return { amount: 'No prompt in common', chance: '' }
  const range = interval ? `, ${write(interval.low)} to ${write(interval.high)}` : ', no interval'
  const amount = `${write(difference)}${unit}${range}`
  if (correctedP === null) return { amount, chance: 'too few runs to tell' }
  if (correctedP < significance) return { amount, chance: 'more than chance' }
  const leavesZeroOut = interval !== null && (interval.low > 0 || interval.high < 0)
  return { amount, chance: leavesZeroOut ? `may be chance among ${comparisons} comparisons` : 'may be chance' }
}
