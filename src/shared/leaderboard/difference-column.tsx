import { emptyValue } from '#src/format/numbers.ts'
import type { Column } from '#src/ui/table/column.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import type { RowRelation } from '#statistics/leaderboard/relate-rows.ts'
import { differenceWords } from './difference-words.ts'
import { intervalCsv } from './interval-csv.ts'
import classes from './Leaderboard.module.css'

/** How much more each group solves than the baseline, on the prompts that both ran. */
export function solvedDifference(relation: RowRelation, baseline: LeaderboardRow): Column<LeaderboardRow> {
  const differenceOf = ({ group, counted: runs }: LeaderboardRow) =>
    group === baseline.group || runs === 0 ? null : relation.between(group, baseline.group)
  return {
    id: 'difference',
    header: 'Solved vs. baseline',
    hint: `Solved rate minus that of ${baseline.label}, on the prompts that both ran, with its 95 % CI. “More than chance” accounts for the number of groups.`,
    cell: (row) => {
      const found = differenceOf(row)
      if (!found) return row.group === baseline.group ? 'baseline' : emptyValue
      const { amount, chance } = differenceWords(found, relation)
      return (
        <span className={classes.difference}>
          {amount}
          <small>{chance}</small>
        </span>
      )
    },
    value: (row) => differenceOf(row)?.difference ?? null,
    csv: [
      ...intervalCsv<LeaderboardRow>('Solved vs. baseline', (row) => differenceOf(row)?.interval ?? null),
      { header: 'Solved vs. baseline, corrected p', value: (row) => differenceOf(row)?.adjustedP ?? null },
    ],
    width: '224px',
  }
}
