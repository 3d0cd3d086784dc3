import { expect, test } from 'vitest'

import type { LeaderboardGroup } from '#contract/leaderboard.ts'
import { boardOf, groupOf, steady } from '#statistics/leaderboard/test-boards.ts'
import { toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { answerText } from './answer.ts'
import { answerBySolved } from './solved-answer.ts'

const answerOf = (...groups: LeaderboardGroup[]) => answerText(answerBySolved(toBoard(boardOf(...groups), null), true))

test('an answer names a clear winner with its lead and interval', () => {
  expect(
    answerOf(
      steady('good', 4),
      groupOf(
        'bad',
        Array.from({ length: 20 }, (_, p) => [p % 2, 5] as const),
      ),
    ),
  ).toMatch(
    /^good is best: it solves \d+(\.\d)? % of its runs\. Lead: \+\d+\.\d points \(over bad, the second with \d+ %\)\. More than chance\?: Yes \(95 % CI \+\d+\.\d to \+\d+\.\d points, on prompts like these, p <0\.001\)\.$/,
  )
})

test('on only these prompts, an answer counts the prompts without the one that has a single run', () => {
  const lone = groupOf('lone', [...Array.from({ length: 9 }, (_, prompt) => [4 + (prompt % 2), 5] as const), [1, 1]])
  const other = groupOf(
    'other',
    Array.from({ length: 10 }, (_, prompt) => [1 + (prompt % 2), 5] as const),
  )
  const board = toBoard(boardOf(lone, other), 'these prompts')
  expect(answerText(answerBySolved(board, true))).toMatch(
    /^lone is best: it solves 88\.9 % on average over 9 of its 10 prompts\. Lead: \+60\.0 points \(over other: 88\.9 % against 28\.9 % on the 9 prompts that both ran more than once\)\..*on these 9 prompts/,
  )
})

test('an answer names the cheapest of those that cannot be told apart, and by how much', () => {
  const dear = steady('dear', 4, { costUsd: 100, runs: 100, solved: 80 })
  const cheap = steady('cheap', 4, { costUsd: 62, runs: 100, solved: 80 })
  expect(answerOf(cheap, dear)).toMatch(
    /^No clear winner: cheap and dear cannot be told apart; cheap costs 38 % less per solved run \(95 % CI 2\d % to 4\d % less\)\. /,
  )
  expect(answerOf(cheap, dear)).toContain(
    'Model cost per solved run: $0.775 (for cheap; dear costs $1.250, 61 % more (95 % CI 41 % to 85 % more)',
  )
  const behind = groupOf('behind', [...dear.prompts.solved.map((solved) => [solved, 5] as const).slice(1), [0, 5]], {
    costUsd: 62,
    runs: 100,
    solved: 80,
  })
  expect(answerOf(dear, behind)).toMatch(
    /^No clear winner: dear and behind cannot be told apart; behind costs 3\d % less per solved run \(95 % CI .* less\)\. Lead: .*Can’t tell \(.*on prompts like these.*Model cost per solved run: \$1\.250 \(for dear; behind costs \$0\.775, 3\d % less \(95 % CI .* less\)\)\.$/,
  )
})

test('an answer says that a ratio of costs is of shared prompts, where the amounts of all runs would say otherwise', () => {
  const all = groupOf(
    'all',
    Array.from({ length: 40 }, (_, prompt) => [prompt < 20 ? 5 - (prompt % 2) : 0, 5] as const),
    { costUsd: 100, runs: 200, solved: 90 },
  )
  const dear = groupOf(
    'dear',
    Array.from({ length: 20 }, (_, prompt) => [3 - (prompt % 2), 5] as const),
    { costUsd: 50, runs: 100, solved: 50 },
  )
  expect(answerOf(all, dear)).toMatch(
    /Model cost per solved run: \$1\.11 \(for all; dear costs \$1\.00 over all runs, and \d+ % more \(95 % CI [^)]* more\) on the prompts that both ran, each with the same weight\)\.$/,
  )
})

test('an answer explains why a winner is named although intervals overlap, only where they do', () => {
  const noteOf = (...groups: LeaderboardGroup[]) => answerBySolved(toBoard(boardOf(...groups), null), true).note
  const spread = (name: string, less: number) =>
    groupOf(
      name,
      Array.from({ length: 20 }, (_, prompt) => [Math.max(0, (prompt % 6) - less), 5] as const),
    )
  expect(noteOf(spread('first', 0), spread('second', 1))).toMatch(
    /^The intervals of first and second overlap, but the lead is clear/,
  )
  expect(noteOf(steady('far', 4), steady('behind', 1))).toBeNull()
})

test('an answer names the cheapest of three that cannot be told apart, and says if some have no cost', () => {
  const at = (name: string, costUsd: number) => steady(name, 4, { costUsd, runs: 100, solved: 80 })
  expect(answerOf(at('a', 100), at('b', 50), at('c', 80))).toContain(
    'a, b, and c cannot be told apart; b is the cheapest, 50 % less per solved run than a (95 % CI',
  )
  expect(answerOf(at('a', 100), at('b', 50), steady('c', 4))).toContain(
    'b is the cheapest with a recorded cost, 50 % less per solved run than a (95 % CI',
  )
  expect(answerOf(at('a', 80), at('b', 80))).toMatch(/^No clear winner: a and b cannot be told apart\. /)
})

test('nobody wins or ties where no group solves a run', () => {
  const nothing = Array.from({ length: 20 }, () => [0, 5] as const)
  expect(answerOf(groupOf('a', nothing), groupOf('b', nothing))).toBe('No group solves a run.')
})

test('an answer names nobody as cheaper whose cost per solved run may be lower by chance', () => {
  const at = (name: string, costUsd: number) => steady(name, 4, { costUsd, runs: 100, solved: 80 })
  const found = answerOf(at('a', 103), at('b', 100))
  expect(found).toMatch(/^No clear winner: a and b cannot be told apart\. /)
  expect(found).toMatch(
    /Model cost per solved run: \$1\.29 \(for a; b costs \$1\.25, which may be chance \(95 % CI \d+ % less to \d+ % more\)\)\.$/,
  )
  // Figures that were pinned before the costs of each prompt were known say what was paid, and nothing about the difference.
  const unknown = (group: LeaderboardGroup) => ({ ...group, prompts: { ...group.prompts, paid: undefined } })
  expect(answerOf(unknown(at('a', 100)), unknown(at('b', 50)))).toMatch(
    /cannot be told apart\. .*\(for a; b costs \$0\.625, with too little data to compare\)\.$/,
  )
})

test('an answer says how many runs it would take, or that this is not known', () => {
  expect(answerOf(groupOf('a', [[3, 3]]), groupOf('b', [[0, 3]]))).toContain(
    'every group needs at least 4 runs of each prompt to rule out chance.',
  )
  // Two of two prompts would do; here the groups differ on one of them.
  const half = answerOf(
    groupOf('a', [
      [3, 3],
      [3, 3],
    ]),
    groupOf('b', [
      [3, 3],
      [0, 3],
    ]),
  )
  expect(half).toMatch(
    /Can’t tell \(too few runs to tell; [45] runs of each prompt would do if the results stay the same, /,
  )
})

test('an answer says that groups without a common prompt cannot be compared', () => {
  expect(
    answerOf(
      groupOf('a', [
        [2, 3],
        [0, 0],
      ]),
      groupOf('b', [
        [0, 0],
        [1, 3],
      ]),
    ),
  ).toContain('but not all groups have a prompt in common.')
})

test('an answer names nobody as ahead if the first groups solve the same share', () => {
  expect(answerOf(groupOf('a', [[0, 1]]), groupOf('b', [[0, 1]]))).toContain('The top groups are tied at 0 %, and')
})

test('without enough data, the answer says which runs are missing', () => {
  expect(answerOf(groupOf('a', [[1, 1]]), groupOf('b', [[0, 1]]))).toContain(
    'Not enough data to say which is best. a is ahead with 100 %, but every group needs at least 4 runs of each prompt to rule out chance.',
  )
  expect(answerOf()).toContain('No runs count yet')
  expect(
    answerOf(
      groupOf(
        'alone',
        Array.from({ length: 9 }, (_, p) => [p % 3, 3] as const),
      ),
    ),
  ).toMatch(/^alone solves 33.3 % of its runs\. 95 % CI: .* to .* \(on prompts like these\)\./)
})

test('an answer says "So far" until every run is included, and keeps the letters of a name', () => {
  const verdictOf = (...groups: LeaderboardGroup[]) => answerBySolved(toBoard(boardOf(...groups), null), false).verdict
  expect(verdictOf(steady('Nova', 4))).toMatch(/^So far, Nova solves /)
  expect(verdictOf(steady('Good', 4), steady('bad', 1))).toMatch(/^So far, Good is best: /)
  expect(verdictOf(steady('a', 4), steady('b', 4))).toMatch(/^So far, no clear winner: /)
  expect(verdictOf(groupOf('a', [[1, 1]]), groupOf('b', [[0, 1]]))).toMatch(/^So far, not enough data to say/)
  expect(verdictOf()).toMatch(/^No runs count yet: /)
})
