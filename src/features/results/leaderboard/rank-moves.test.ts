import { expect, test } from 'vitest'

import type { LeaderboardGroup } from '#contract/leaderboard.ts'
import type { MeasuredEnding } from '#contract/run-endings.ts'
import { boardOf, groupOf } from '#statistics/leaderboard/test-boards.ts'
import { toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { withRules } from '#statistics/leaderboard/counting-rules.ts'
import { areUsual, choicesAbout, readRules } from './counting-choices.ts'
import { movesText, rankMoves } from './rank-moves.ts'

const prompts = Array.from({ length: 12 }, (_, prompt) => prompt)

/** Five runs on each prompt, of which so many are solved and so many time out; the rest fail. */
function group(name: string, solved: number, late: number): LeaderboardGroup {
  const rest = 5 - solved - late
  const each: [MeasuredEnding, number][] = [
    ['solved', solved],
    ['timed_out', late],
    ['failed', rest],
  ]
  const rows = prompts.flatMap((prompt) => each.map(([ending, runs]) => ({ prompt, ending, runs })))
  return {
    ...groupOf(
      name,
      prompts.map(() => [solved, 5] as const),
    ),
    endings: {
      prompt: rows.map(({ prompt }) => prompt),
      ending: rows.map(({ ending }) => ending),
      claimed: rows.map(() => null),
      runs: rows.map(({ runs }) => runs),
    },
  }
}

const summary = boardOf(group('quick', 3, 0), group('slow', 2, 2))
const movesWith = (query: string) =>
  movesText(rankMoves(toBoard(summary, null), toBoard(withRules(summary, readRules(new URLSearchParams(query))), null)))

test('the URL says how runs count, and what it does not name counts as on the leaderboard', () => {
  expect(areUsual(readRules(new URLSearchParams('timeouts=maybe&infrastructure=out')))).toBe(true)
  expect(readRules(new URLSearchParams('timeouts=out&never_started=failed&disputes=reviewed'))).toEqual({
    timeouts: 'left out',
    infrastructure: 'left out',
    neverStarted: 'failed',
    disputes: 'reviewed',
  })
})

test('a rule that changes ranks names the groups that move, and one that does not says so', () => {
  expect(movesWith('timeouts=out')).toMatch(/slow: (rank 2 to 1|place 2 to 1)/)
  expect(movesWith('infrastructure=failed')).toBe('neither a rank nor the order changes.')
})

test('only rules about runs that there are get a switch', () => {
  expect(choicesAbout(summary).map(({ choice, runs }) => [choice.name, runs])).toEqual([['timeouts', 24]])
})
