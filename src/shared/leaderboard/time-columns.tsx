import { seconds } from '#src/format/durations.ts'
import { atLeastText } from '#src/format/numbers.ts'
import type { Column } from '#src/ui/table/column.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'

/** A quantile of the times of runs, which allows for those that were cut. */
export function timeColumn(
  quantile: 'p50' | 'p90',
  share: string,
  rest: Partial<Column<LeaderboardRow>>,
): Column<LeaderboardRow> {
  const isAtLeast = ({ facts }: LeaderboardRow) => facts.wallSeconds[`${quantile}IsAtLeast`] ?? false
  return {
    id: quantile,
    header: `Time ${quantile}`,
    hint: `Time by which ${share} have ended, allowing for those that a time limit or a person ended early (Kaplan–Meier). ≥: so many were ended early that only this lower bound is known.`,
    value: ({ facts }) => facts.wallSeconds[quantile],
    cell: (row) => atLeastText(isAtLeast(row), seconds(row.facts.wallSeconds[quantile])),
    csv: [{ header: `Time ${quantile} is a lower bound`, value: (row) => (isAtLeast(row) ? 'yes' : null) }],
    align: 'right',
    width: '88px',
    ...rest,
  }
}
