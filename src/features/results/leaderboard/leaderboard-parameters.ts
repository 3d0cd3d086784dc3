import { type Scope, scopes } from '#src/statistics/scope.ts'
import { scopeParameter } from '#src/features/results/view/scope-parameter.ts'

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
  scope: scopes.find((scope) => scopeParameter[scope] === search.get('scope')) ?? null,
  baseline: search.get('baseline'),
})
