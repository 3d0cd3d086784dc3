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
    header: 'Model cost per solved run',
    hint: 'What the model calls of all runs cost, divided by the number of solved runs',
    cell: ({ costPerSolved }) => usd(costPerSolved),
    value: ({ costPerSolved }) => costPerSolved,
    align: 'right',
    width: '108px',
    from: 'md',
  }
  return baseline && costs.groups > 1 ? [own, costDifference(costs, baseline)] : [own]
}

const costHint = 'The mean over the runs with a known cost: model calls + compute of workers'

/** What a run costs, with its parts below: the same sums as on the pages of its runs and under Credits. */
export function costPerRun(rows: readonly LeaderboardRow[]): Column<LeaderboardRow> {
  // Compute is often a thousandth of the models, and would give all amounts its decimals.
  const [usd, computeUsd] = [usdBeside(rows.map(togetherOf)), usdBeside(rows.map(computeOf))]
  return {
    id: 'cost',
    header: 'Cost per run',
    hint: costHint,
    cell: (row) => {
      const [models, compute] = [modelsOf(row), computeOf(row)]
      if (compute === null) return usd(models)
      return (
        <span className={`${classes.difference} ${classes.explained}`} title={costHint}>
          {usd(togetherOf(row))}
          <small>{models === null ? 'compute only' : `${usd(models)} + ${computeUsd(compute)}`}</small>
        </span>
      )
    },
    value: togetherOf,
    csv: [
      { header: 'Models per run', value: modelsOf },
      { header: 'Compute per run', value: computeOf },
    ],
    align: 'right',
    width: '128px',
    from: 'lg',
    // Without compute it is what the cost per solved run says, where a run is solved.
    optional: rows.every((row) => computeOf(row) === null) && rows.some((row) => row.costPerSolved !== null),
  }
}

const modelsOf = ({ facts }: LeaderboardRow) => facts.costUsd.mean
const computeOf = ({ facts: { compute } }: LeaderboardRow) =>
  compute && compute.runs > 0 ? compute.usd / compute.runs : null

function togetherOf(row: LeaderboardRow) {
  const parts = [modelsOf(row), computeOf(row)].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0)
}

function costDifference(costs: CostRelation, baseline: LeaderboardRow): Column<LeaderboardRow> {
  const pairOf = ({ group }: LeaderboardRow) => (group === baseline.group ? null : costs.between(group, baseline.group))
  return {
    id: 'costDifference',
    header: 'Cost vs. baseline',
    hint: `Model cost per solved run against that of ${baseline.label}, on the prompts that both ran, each with the same weight, with the 95 % CI of the ratio. “More than chance” accounts for the number of groups.`,
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
