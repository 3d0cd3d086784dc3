import { signedScore, scoreText } from '#src/format/scores.ts'
import { counted, emptyValue } from '#src/format/numbers.ts'
import { type LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { scoreMeanOf } from '#statistics/leaderboard/rate-interval.ts'
import type { Scope } from '#statistics/scope.ts'
import type { Column } from '#src/ui/table/column.ts'
import { differenceWords } from './difference-words.ts'
import { intervalCsv } from './interval-csv.ts'
import classes from './Leaderboard.module.css'
import { relateByScore } from './relate-by-score.ts'

type Options = { name: string; scope: Scope; baseline: LeaderboardRow | null }

/** The mean of a score with its interval, and how far it is from that of the baseline. */
export function scoreColumns(
  rows: readonly LeaderboardRow[],
  { name, scope, baseline }: Options,
): Column<LeaderboardRow>[] {
  const means = new Map(rows.map(({ group, measured }) => [group, scoreMeanOf([...measured.values()], scope)]))
  const meanOf = ({ group }: LeaderboardRow) => means.get(group) ?? { mean: null, interval: null, runs: 0 }
  const header = `Mean ${name}`
  const columns: Column<LeaderboardRow>[] = [
    {
      id: 'score',
      header,
      hint: `Mean of ${name} over runs with a known value, with its 95 % interval`,
      cell: (row) => {
        const { mean, interval, runs } = meanOf(row)
        if (mean === null) return emptyValue
        return (
          <span className={classes.difference} title={`Over ${counted(runs, 'run')} with a known value`}>
            {scoreText(mean)}
            <small>{interval ? `${scoreText(interval.low)} to ${scoreText(interval.high)}` : 'no interval'}</small>
          </span>
        )
      },
      value: (row) => meanOf(row).mean,
      csv: [
        ...intervalCsv(header, (row) => meanOf(row).interval),
        { header: `Runs with ${name}`, value: (row) => meanOf(row).runs },
      ],
      width: '152px',
    },
  ]
  return baseline ? [...columns, differenceColumn(rows, { name, scope, baseline })] : columns
}

function differenceColumn(
  rows: readonly LeaderboardRow[],
  { name, scope, baseline }: Options & { baseline: LeaderboardRow },
): Column<LeaderboardRow> {
  const relation = relateByScore(rows, scope)
  const differenceOf = ({ group, measured }: LeaderboardRow) =>
    group === baseline.group || measured.size === 0 ? null : relation.between(group, baseline.group)
  const header = `${name} vs. baseline`
  return {
    id: 'scoreDifference',
    header,
    hint: `Mean ${name} minus that of ${baseline.label}, on the prompts that both have values on, with its 95 % CI. “More than chance” accounts for the number of groups.`,
    cell: (row) => {
      const found = differenceOf(row)
      if (!found) return row.group === baseline.group ? 'baseline' : emptyValue
      const { amount, chance } = differenceWords(found, relation, signedScore, '')
      return (
        <span className={classes.difference}>
          {amount}
          <small>{chance}</small>
        </span>
      )
    },
    value: (row) => differenceOf(row)?.difference ?? null,
    csv: [
      ...intervalCsv(header, (row) => differenceOf(row)?.interval ?? null),
      { header: `${header}, corrected p`, value: (row) => differenceOf(row)?.adjustedP ?? null },
    ],
    width: '208px',
  }
}
