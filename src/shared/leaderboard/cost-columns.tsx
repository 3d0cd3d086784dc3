import { usdBeside } from '#src/format/money.ts'
import { emptyValue } from '#src/format/numbers.ts'
import type { Column } from '#src/ui/table/column.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { type CostRelation, isShown } from '#statistics/leaderboard/relate-costs.ts'
import { costRange, savedText } from './cost-answer.ts'
import { pWords } from './difference-words.ts'
import { intervalCsv } from './interval-csv.ts'
import classes from './Leaderboard.module.css'

/** The cost per solved run, and how far it is from that of the baseline. */
export function costColumns(
  rows: readonly LeaderboardRow[],
  costs: CostRelation,
  baseline: LeaderboardRow | null,
): Column<LeaderboardRow>[] {
  const usd = usdBeside(rows.map((row) => row.costPerSolved))
  const own: Column<LeaderboardRow> = {
    id: 'costPerSolved',
    header: 'Cost per solved run',
    hint: 'Cost of all runs divided by the number of solved runs',
    cell: ({ costPerSolved }) => usd(costPerSolved),
    value: ({ costPerSolved }) => costPerSolved,
    align: 'right',
    width: '136px',
    from: 'sm',
  }
  return baseline && costs.groups > 1 ? [own, costDifference(costs, baseline)] : [own]
}

function costDifference(costs: CostRelation, baseline: LeaderboardRow): Column<LeaderboardRow> {
  const pairOf = ({ group }: LeaderboardRow) => (group === baseline.group ? null : costs.between(group, baseline.group))
  return {
    id: 'costDifference',
    header: 'Cost vs. baseline',
    hint: `Cost per solved run against that of ${baseline.label}, on the prompts that both ran, each with the same weight, with the 95 % CI of the ratio. “More than chance” accounts for the number of groups.`,
    cell: (row) => {
      const pair = pairOf(row)
      if (!pair) return 'baseline'
      if (pair.ratio === null) return emptyValue
      const chance =
        pair.adjustedP === null
          ? 'too little data to compare'
          : `${isShown(pair) ? 'more than chance' : 'may be chance'}, ${pWords(pair.adjustedP, costs.groups)}`
      return (
        <span className={classes.difference}>
          {`${savedText(pair)}, ${costRange(pair)}`}
          <small>{chance}</small>
        </span>
      )
    },
    value: (row) => pairOf(row)?.ratio ?? null,
    csv: [
      ...intervalCsv<LeaderboardRow>('Cost vs. baseline', (row) => pairOf(row)?.interval ?? null),
      { header: 'Cost vs. baseline, corrected p', value: (row) => pairOf(row)?.adjustedP ?? null },
    ],
    width: '248px',
    optional: true,
  }
}
