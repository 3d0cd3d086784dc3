import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import type { Scope } from '#src/statistics/scope.ts'
import { significance } from '#src/statistics/verdict.ts'
import { type LeaderboardRow, toRows } from './leaderboard-rows.ts'
import { type PairedDifference, pairedDifference } from './rank-groups.ts'

/** One version of a group, compared with the version before it that has runs of the group. */
export type TrendStep = {
  version: string
  row: LeaderboardRow
  /** Null for the first version. The difference is this version minus `since`. */
  change: (PairedDifference & { since: string; verdict: 'better' | 'worse' | 'inconclusive' | 'unknown' }) | null
}

/** A group over the versions that have runs of it, oldest first. */
export type Trend = { group: string; label: string; steps: TrendStep[] }

/** `v12` → 12 */
const ordinalOf = (version: string) => Number(version.slice(1))

export const byVersion = (a: string, b: string) => ordinalOf(a) - ordinalOf(b)

/** The trends in a leaderboard that is grouped by axes of which the last is the version. */
export function toTrends(summary: LeaderboardSummary, scope: Scope): Trend[] {
  const rows = toRows(summary, scope, { isRanked: false })
  const ofGroup = Map.groupBy(rows, ({ group }) => group.slice(0, group.lastIndexOf('~')))
  return [...ofGroup].map(([group, versions]) => {
    const inOrder = versions.toSorted((a, b) => byVersion(versionOf(a), versionOf(b)))
    const names = inOrder[0]?.names.slice(0, -1) ?? []
    return {
      group,
      label: names.join(' · '),
      steps: inOrder.map((row, place) => ({
        version: versionOf(row),
        row,
        change: changeSince(inOrder[place - 1], row, scope),
      })),
    }
  })
}

const versionOf = ({ names }: LeaderboardRow) => names.at(-1) ?? ''

function changeSince(before: LeaderboardRow | undefined, row: LeaderboardRow, scope: Scope): TrendStep['change'] {
  if (!before) return null
  const found = pairedDifference(row, before, scope)
  return { ...found, since: versionOf(before), verdict: verdictOf(found) }
}

function verdictOf({ difference, pValue }: PairedDifference) {
  if (difference === null || pValue === null) return 'unknown'
  if (pValue >= significance) return 'inconclusive'
  return difference > 0 ? 'better' : 'worse'
}
