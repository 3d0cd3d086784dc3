import { EndingsBar } from '#src/shared/leaderboard/EndingsBar.tsx'
import { countEndings } from '#src/shared/leaderboard/run-endings.ts'
import { count, emptyValue, percent } from '#src/format/numbers.ts'
import type { Column } from '#src/ui/table/column.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import type { Bounds } from '#statistics/leaderboard/left-out-bounds.ts'
import classes from './WhoseFailure.module.css'

type Options = {
  /** The rows of the leaderboard itself, by group. */
  before: ReadonlyMap<string, LeaderboardRow>
  bounds: Bounds
}

/** The columns of a leaderboard under other rules, beside what it was before. */
export function countingColumns({ before, bounds }: Options): Column<LeaderboardRow>[] {
  // Without a run that is left out there are no two cases.
  const optional = [...bounds.groups.values()].every(({ leftOut }) => leftOut === 0)
  const boundsOf = ({ group }: LeaderboardRow) => bounds.groups.get(group)
  return [
    {
      id: 'group',
      header: 'Group',
      cell: ({ label, facts }) => (
        <span className={classes.group}>
          {label}
          <EndingsBar counts={countEndings([facts.endings])} />
        </span>
      ),
      value: ({ label }) => label,
    },
    {
      id: 'rank',
      header: 'Rank',
      hint: 'On the leaderboard, then counted so',
      cell: ({ group, rank }) => (
        <Moved from={count(before.get(group)?.rank?.rank ?? null)} to={count(rank?.rank ?? null)} />
      ),
      value: ({ rank }) => rank?.rank ?? null,
      csv: [{ header: 'Rank on the leaderboard', value: ({ group }) => before.get(group)?.rank?.rank ?? null }],
      isBestLow: true,
      width: 'clamp(60px, 16cqw, 88px)',
    },
    {
      id: 'solved',
      header: 'Solved',
      hint: 'On the leaderboard, then counted so',
      cell: (row) => <Moved from={shareOf(before.get(row.group))} to={shareOf(row)} />,
      value: ({ solved }) => solved.share,
      csv: [{ header: 'Solved on the leaderboard', value: ({ group }) => before.get(group)?.solved.share ?? null }],
      width: 'clamp(104px, 30cqw, 168px)',
    },
    {
      id: 'leftOut',
      header: 'Left out',
      hint: 'Runs that then count neither as solved nor as failed',
      cell: (row) => count(boundsOf(row)?.leftOut ?? null),
      value: (row) => boundsOf(row)?.leftOut ?? null,
      align: 'right',
      width: '88px',
      from: 'sm',
      optional,
    },
    {
      id: 'bounds',
      header: 'None or all of them solved',
      hint: 'The solved rate if none of the runs left out were solved, and if all were',
      cell: (row) => boundsText(boundsOf(row)?.rate ?? null),
      value: (row) => boundsOf(row)?.rate?.low ?? null,
      csv: [{ header: 'All of them solved', value: (row) => boundsOf(row)?.rate?.high ?? null }],
      width: '192px',
      from: 'sm',
      optional,
    },
    {
      id: 'places',
      header: 'Possible places',
      hint: 'The places by solved rate that the group could have, whatever the runs left out of any group would have done',
      cell: (row) => rangeText(boundsOf(row)?.places),
      value: (row) => boundsOf(row)?.places.low ?? null,
      csv: [{ header: 'Last possible place', value: (row) => boundsOf(row)?.places.high ?? null }],
      isBestLow: true,
      width: '120px',
      from: 'md',
      optional,
    },
  ]
}

const shareOf = (row: LeaderboardRow | undefined) => (row ? percent(row.solved.share, 1) : emptyValue)

const boundsText = (rate: { low: number; high: number } | null) =>
  rate === null || rate.low === rate.high ? emptyValue : `${percent(rate.low, 1)} to ${percent(rate.high, 1)}`

const rangeText = (places: { low: number; high: number } | undefined) =>
  !places ? emptyValue : places.low === places.high ? String(places.low) : `${places.low} to ${places.high}`

/** `2 → 1`, or the value alone if it stays. */
const Moved = ({ from, to }: { from: string; to: string }) =>
  from === to ? (
    to
  ) : (
    <span className={classes.moved}>
      <span>{from}</span> → <b>{to}</b>
    </span>
  )
