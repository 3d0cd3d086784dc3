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
        Solved: the share of a prompt’s runs that are solved, averaged over prompts, so every prompt counts the same.
      </span>
      <span>
        Rank: 1 plus the number of groups that are shown to be better on the prompts that both ran. The probability of
        any false claim about these groups is at most 5 %. In brackets: the ranks that are possible.
      </span>
      {rows.map(({ group, label, lonePrompt }) =>
        lonePrompt === null ? null : (
          <span key={group}>
            {label} has a single run of {lonePrompt || 'one prompt'}, so its numbers leave this prompt out.
          </span>
        ),
      )}
      {unpaid > 0 && <span>{costNote(unpaid, runs)}</span>}
    </p>
  )
}

const costNote = (unpaid: number, runs: number) =>
  unpaid === runs ? 'No run has a recorded cost.' : `Costs leave out ${counted(unpaid, 'run')} without a recorded cost.`
