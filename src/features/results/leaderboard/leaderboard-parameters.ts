import type { Scope } from '#src/statistics/scope.ts'
import { readScope } from '#src/features/results/view/scope-parameter.ts'

export type LeaderboardState = {
  /** A column, with `-` before it for the largest first. */
  sort: string
  /** Null where the URL leaves it to the number of prompts. */
  scope: Scope | null
  /** The group that others are compared with. */
  baseline: string | null
}

export const readLeaderboardState = (search: URLSearchParams): LeaderboardState => ({
  sort: search.get('sort') ?? '-solved',
  scope: readScope(search),
  baseline: search.get('baseline'),
})
