import { SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'

import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { count, counted, pointsText } from '#src/format/numbers.ts'
import { answerBySolved } from '#src/shared/leaderboard/solved-answer.ts'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { type Board, type LeaderboardRow, toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { type Bounds, boundLeftOut } from '#statistics/leaderboard/left-out-bounds.ts'
import { type CountingRules, usualRules, withRules } from '#statistics/leaderboard/counting-rules.ts'
import { areUsual, choicesAbout } from './counting-choices.ts'
import { countingColumns } from './counting-columns.tsx'
import { movesText, rankMoves } from './rank-moves.ts'
import classes from './WhoseFailure.module.css'

type Props = { data: LeaderboardSummary; board: Board; rules: CountingRules; isWhole: boolean }

/** Switches for the runs whose failure may not be the agent's, and what they and the runs left out could change. */
export function OtherCounting({ data, board, rules, isWhole }: Props) {
  const url = useQueryState()
  const usual = useMemo(() => toBoard(data, board.scope), [data, board.scope])
  const recounted = useMemo(() => toBoard(withRules(data, rules), board.scope), [data, rules, board.scope])
  const choices = useMemo(
    () =>
      choicesAbout(data).map(({ choice, ...counts }) => {
        const other = { ...usualRules, [choice.name]: choice.ways[1].value }
        return {
          choice,
          ...counts,
          effect: movesText(rankMoves(usual, toBoard(withRules(data, other), board.scope))),
        }
      }),
    [data, usual, board.scope],
  )
  const bounds = useMemo(() => {
    const order = recounted.rows.map(({ group }) => group)
    return boundLeftOut(data, rules, order)
  }, [data, recounted, rules])
  const before = new Map(usual.rows.map((row) => [row.group, row]))
  return (
    <div className={classes.rules}>
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
              value={ways.find(({ value }) => value === rules[name])?.inUrl ?? ways[0].inUrl}
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
        {areUsual(rules) ? 'As on the leaderboard: ' : 'Counted so: '}
        {answerBySolved(recounted, isWhole).verdict}
        {!areUsual(rules) && ` Compared with the leaderboard: ${movesText(rankMoves(usual, recounted))}`}
      </p>
      <p className={classes.bounds}>{boundsText(bounds, recounted.rows)}</p>
      <DataTable
        label="groups"
        columns={countingColumns({ before, bounds })}
        rows={recounted.rows}
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
