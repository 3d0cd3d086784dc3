import { SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'

import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { count, counted, pointsText } from '#src/format/numbers.ts'
import { decide } from '#src/shared/leaderboard/decide.ts'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { type Board, type LeaderboardRow, toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { type Bounds, boundLeftOut } from '#statistics/leaderboard/left-out-bounds.ts'
import { type Decisions, usualDecisions, withDecisions } from '#statistics/leaderboard/run-decisions.ts'
import { areUsual, choicesAbout } from './decision-choices.ts'
import { decisionColumns } from './decision-columns.tsx'
import { movesText, rankMoves } from './rank-moves.ts'
import classes from './WhoseFailure.module.css'

type Props = { data: LeaderboardSummary; board: Board; decisions: Decisions; isWhole: boolean }

/** Switches for the runs whose failure may not be the agent's, and what they and the runs left out could change. */
export function OtherDecisions({ data, board, decisions, isWhole }: Props) {
  const url = useQueryState()
  const usual = useMemo(() => toBoard(data, board.scope), [data, board.scope])
  const decided = useMemo(() => toBoard(withDecisions(data, decisions), board.scope), [data, decisions, board.scope])
  const choices = useMemo(
    () =>
      choicesAbout(data).map(({ choice, ...counts }) => {
        const other = { ...usualDecisions, [choice.name]: choice.ways[1].value }
        return {
          choice,
          ...counts,
          effect: movesText(rankMoves(usual, toBoard(withDecisions(data, other), board.scope))),
        }
      }),
    [data, usual, board.scope],
  )
  const bounds = useMemo(() => {
    const order = decided.rows.map(({ group }) => group)
    return boundLeftOut(data, decisions, order)
  }, [data, decided, decisions])
  const before = new Map(usual.rows.map((row) => [row.group, row]))
  return (
    <div className={classes.decisions}>
      <ul className={classes.choices}>
        {choices.map(({ choice: { name, param, label, ways }, runs, disputed, effect }) => (
          <li key={name}>
            <span className={classes.about}>
              {label}{' '}
              <small>
                {counted(runs, 'run')}
                {disputed > 0 && `, ${count(disputed)} disputed`}
              </small>
            </span>
            <SegmentedControl
              size="xs"
              aria-label={`${label} runs`}
              value={ways.find(({ value }) => value === decisions[name])?.inUrl ?? ways[0].inUrl}
              onChange={(next) => url.set({ [param]: next === ways[0].inUrl ? null : next })}
              data={ways.map(({ inUrl, label: words }) => ({ value: inUrl, label: words }))}
            />
            <span className={classes.effect}>
              {ways[1].alone}: {effect}
            </span>
          </li>
        ))}
      </ul>
      <p className={classes.verdict} aria-live="polite">
        {areUsual(decisions) ? 'As on the leaderboard: ' : 'With these decisions: '}
        {decide(decided, isWhole).verdict}
        {!areUsual(decisions) && ` Compared with the leaderboard: ${movesText(rankMoves(usual, decided))}`}
      </p>
      <p className={classes.bounds}>{boundsText(bounds, decided.rows)}</p>
      <DataTable
        label="decisions"
        columns={decisionColumns({ before, bounds })}
        rows={decided.rows}
        rowId={({ group }) => group}
        empty={{ title: 'No groups' }}
      />
    </div>
  )
}

const mostNamed = 3

/** Whether the runs left out could change the order, and for which pairs. */
function boundsText({ groups, reversals }: Bounds, rows: readonly LeaderboardRow[]) {
  const leftOut = [...groups.values()].reduce((sum, group) => sum + group.leftOut, 0)
  if (leftOut === 0) return 'No run is left out.'
  const runs = leftOut === 1 ? 'the run that is left out' : `the ${count(leftOut)} runs that are left out`
  if (reversals.length === 0) return `Whatever ${runs} would have done, the order of the groups stays the same.`
  const labelOf = new Map(rows.map((row) => [row.group, row]))
  const named = reversals.slice(0, mostNamed).map(({ ahead, behind, worst }) => {
    const [first, second] = [labelOf.get(ahead)?.label ?? ahead, labelOf.get(behind)?.label ?? behind]
    return `If none of those of ${first} were solved and all of those of ${second} were, ${second} would be ahead by ${pointsText(-worst)} points.`
  })
  const more = reversals.length - named.length
  return [
    `Depending on what ${runs} would have done, the order could change.`,
    ...named,
    ...(more > 0 ? [`The same goes for ${counted(more, 'other pair')}.`] : []),
  ].join(' ')
}
