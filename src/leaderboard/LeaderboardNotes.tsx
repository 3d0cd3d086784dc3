import { counted } from '#src/format/numbers.ts'
import type { LeaderboardRow } from '#src/statistics/leaderboard/leaderboard-rows.ts'
import type { Scope } from '#src/statistics/scope.ts'
import { intervalWords } from './interval-words.ts'
import classes from './Leaderboard.module.css'

type Props = { rows: readonly LeaderboardRow[]; scope: Scope }

/** Says what the numbers of a leaderboard mean, where they stand. */
export function LeaderboardNotes({ rows, scope }: Props) {
  const unpaid = rows.reduce((sum, row) => sum + row.unpaid, 0)
  return (
    <p className={classes.notes}>
      <span>Solved: every test of the run passed.</span>
      <span>{intervalWords[scope]}</span>
      <span>
        Rank: groups share a rank unless their paired difference over common prompts is significant (5 %,
        Holm-corrected); small numbers are the rank’s 95 % range over drawn prompts.
      </span>
      {unpaid > 0 && <span>Costs leave out {counted(unpaid, 'run')} without a recorded cost.</span>}
    </p>
  )
}
