import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { percent } from '#src/format/numbers.ts'
import { answerBySolved } from '#src/shared/leaderboard/solved-answer.ts'
import { intervalWords } from '#src/shared/leaderboard/interval-words.ts'
import { toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { number, rounded, sum, text } from './figure-columns.ts'
import type { FigureContent } from './figure-content.ts'

/** The solved rate of each group with its interval, below the verdict of the Results page. */
export function leaderboardContent(summary: LeaderboardSummary, isWhole: boolean): FigureContent {
  const { groups, version } = summary
  const board = toBoard(summary, null)
  const { rows, scope } = board
  const [solved, counted] = [sum(groups.flatMap(({ prompts }) => prompts.solved)), sum(rows.map((row) => row.counted))]
  return {
    columns: [
      text('group'),
      number('runs'),
      number('solved rate'),
      number('cost per solved run in USD'),
      number('solved rate CI low'),
      number('solved rate CI high'),
    ],
    rows: rows.map(({ label, runs, solved: { share, interval }, costPerSolved }) => [
      label,
      runs,
      rounded(share),
      rounded(costPerSolved),
      rounded(interval?.low ?? null),
      rounded(interval?.high ?? null),
    ]),
    rowCount: groups.length,
    presentation: { kind: 'bar', x: 'group', y: ['solved rate'] },
    answer: answerBySolved(board, isWhole).verdict,
    whiskers: intervalWords[scope],
    headline: percent(shareOf(solved, counted)),
    runs: sum(groups.map(({ runs }) => runs)),
    version,
  }
}

/**
 * The groups as reports have pinned them since before they had intervals. A pinned figure drifts only if one of these
 * values changes.
 */
export const comparedGroups = ({ groups }: LeaderboardSummary): FigureContent['rows'] =>
  groups
    .map(({ group, runs, prompts, paid }) => ({
      group: group || 'none recorded',
      runs,
      solved: shareOf(sum(prompts.solved), sum(prompts.runs)),
      cost: shareOf(paid.costUsd, paid.solved),
    }))
    .toSorted((a, b) => (b.solved ?? -1) - (a.solved ?? -1))
    .map(({ group, runs, solved, cost }) => [group, runs, rounded(solved), rounded(cost)])

const shareOf = (part: number, whole: number) => (whole === 0 ? null : part / whole)
