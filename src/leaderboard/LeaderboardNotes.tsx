import { counted } from '#src/format/numbers.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import type { Scope } from '#statistics/scope.ts'
import { intervalWords } from './interval-words.ts'
import classes from './Leaderboard.module.css'

type Props = { rows: readonly LeaderboardRow[]; scope: Scope }

/** Says what the numbers of a leaderboard mean, where they stand. */
export function LeaderboardNotes({ rows, scope }: Props) {
  const runs = rows.reduce((sum, row) => sum + row.counted, 0)
  const unpaid = rows.reduce((sum, row) => sum + row.unpaid, 0)
  return (
    <p className={classes.notes}>
      <span>
        A group is a row of this table. A prompt is one task. A run is one execution of it, and is solved if every test
        passes.
      </span>
      <span>{intervalWords[scope]}</span>
      <span>
        Rank: 1 plus the number of groups that are significantly better on the prompts that both ran (at 5 %,
        Holm-corrected over a group’s comparisons). Small numbers: the 95 % range of the rank. Compare corrects over all
        pairs, so it can find fewer differences.
      </span>
      {unpaid > 0 && <span>{costNote(unpaid, runs)}</span>}
    </p>
  )
}

const costNote = (unpaid: number, runs: number) =>
  unpaid === runs ? 'No run has a recorded cost.' : `Costs leave out ${counted(unpaid, 'run')} without a recorded cost.`
