import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { relateRows } from '#statistics/leaderboard/relate-rows.ts'
import type { Scope } from '#statistics/scope.ts'

/** How groups relate in the score that the summary was asked for, which may have any scale. */
export const relateByScore = (rows: readonly LeaderboardRow[], scope: Scope) =>
  relateRows(
    rows.map(({ group, measured }) => ({ group, prompts: measured })),
    { scope, largest: Infinity },
  )
