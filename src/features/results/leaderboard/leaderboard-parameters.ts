import type { Scope } from '#statistics/scope.ts'
import type { DisplayMode } from '#src/features/results/view/results-parameters.ts'
import { formerRowSort } from '#src/features/results/view/former-sorts.ts'
import { readScope } from '#src/features/results/view/scope-parameter.ts'

/** The rates that every group of a leaderboard has. */
export const boardRates = ['solved', 'passRate'] as const
export type BoardRate = (typeof boardRates)[number]

export type LeaderboardState = {
  /** Unlike other views, a leaderboard opens as a table. */
  as: DisplayMode
  /** The rate that the chart shows with its intervals. */
  rate: BoardRate
  /** A column, with `-` before it for the largest first. */
  sort: string
  /** Null where the URL leaves it to the number of prompts. */
  scope: Scope | null
  /** The group that others are compared with. */
  baseline: string | null
}

export const readLeaderboardState = (search: URLSearchParams): LeaderboardState => ({
  as: search.get('as') === 'chart' ? 'chart' : 'table',
  rate: boardRates.find((rate) => rate === search.get('rate')) ?? 'solved',
  sort: (formerRowSort(search) ? null : search.get('sort')) ?? '-solved',
  scope: readScope(search),
  baseline: search.get('baseline'),
})
