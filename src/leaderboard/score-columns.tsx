import { signedScore, scoreText } from '#src/format/scores.ts'
import { counted, emptyValue } from '#src/format/numbers.ts'
import { type LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { scoreMeanOf } from '#statistics/leaderboard/rate-interval.ts'
import type { Scope } from '#statistics/scope.ts'
import type { Column } from '#src/ui/table/column.ts'
import { differencesTo, differenceWords, scoreDifference } from './baseline.ts'
import { intervalCsv } from './interval-csv.ts'
import classes from './Leaderboard.module.css'

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
  const differences = differencesTo(baseline, rows, scope, scoreDifference)
  const header = `${name} vs. baseline`
  return {
    id: 'scoreDifference',
    header,
    hint: `Mean ${name} minus that of ${baseline.label}, on the prompts that both have values on, with its 95 % CI. “More than chance” is Holm-corrected over these rows at 5 %.`,
    cell: ({ group }) => {
      const found = differences.get(group)
      if (!found) return group === baseline.group ? 'baseline' : emptyValue
      const { amount, chance } = differenceWords(found, signedScore, '')
      return (
        <span className={classes.difference}>
          {amount}
          <small>{chance}</small>
        </span>
      )
    },
    value: ({ group }) => differences.get(group)?.difference ?? null,
    csv: [
      ...intervalCsv(header, ({ group }) => differences.get(group)?.interval ?? null),
      { header: `${header}, corrected p`, value: ({ group }) => differences.get(group)?.correctedP ?? null },
    ],
    width: '208px',
  }
}
