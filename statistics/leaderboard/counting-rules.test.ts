import { expect, test } from 'vitest'

import type { EndingTallies, LeaderboardGroup } from '#contract/leaderboard.ts'
import type { ClaimOfReviewers, MeasuredEnding } from '#contract/run-endings.ts'
import { boardOf, groupOf } from './test-boards.ts'
import { toBoard } from './leaderboard-rows.ts'
import { boundLeftOut } from './left-out-bounds.ts'
import { type CountingRules, usualRules, withRules } from './counting-rules.ts'

type Ended = readonly [prompt: number, ending: MeasuredEnding, runs: number, claimed?: ClaimOfReviewers]

/** A group that the platform would describe by these endings. */
function ended(name: string, ...runs: Ended[]): LeaderboardGroup {
  const endings: EndingTallies = {
    prompt: runs.map(([prompt]) => prompt),
    ending: runs.map(([, ending]) => ending),
    claimed: runs.map(([, , , claimed = null]) => claimed),
    runs: runs.map(([, , count]) => count),
  }
  const counts = (prompt: number, ...of: MeasuredEnding[]) =>
    runs.reduce((sum, [at, ending, count]) => sum + (at === prompt && of.includes(ending) ? count : 0), 0)
  const prompts = [...new Set(endings.prompt)].map(
    (prompt) => [counts(prompt, 'solved'), counts(prompt, 'solved', 'failed', 'timed_out')] as const,
  )
  return { ...groupOf(name, prompts), endings }
}

const board = boardOf(
  ended('slow', [0, 'solved', 6], [0, 'failed', 1], [0, 'timed_out', 3], [1, 'solved', 5], [1, 'timed_out', 5]),
  ended('steady', [0, 'solved', 8], [0, 'failed', 2], [1, 'solved', 5], [1, 'failed', 5], [1, 'untested', 9]),
  ended('unlucky', [0, 'solved', 5], [0, 'infrastructure', 5], [1, 'never_started', 4], [1, 'canceled', 6]),
  ended(
    'disputed',
    [0, 'solved', 5, 'unsolved'],
    [0, 'failed', 5],
    [1, 'failed', 6, 'solved'],
    [1, 'failed', 4, 'unclear'],
  ),
)

const sharesWith = (rules: Partial<CountingRules>) =>
  Object.fromEntries(
    toBoard(withRules(board, { ...usualRules, ...rules }), null).rows.map(({ group, solved }) => [
      group,
      Number(solved.share?.toFixed(6)),
    ]),
  )

test('the usual rules are those of the leaderboard', () => {
  const same = toBoard(withRules(board, usualRules), null)
  const measured = toBoard(board, null)
  expect(same.rows.map(({ group, solved, rank }) => ({ group, solved, rank }))).toEqual(
    measured.rows.map(({ group, solved, rank }) => ({ group, solved, rank })),
  )
})

test('each rule changes the rates of the groups that it is about, and of no other', () => {
  const usual = sharesWith({})
  expect(usual).toEqual({ slow: 0.55, steady: 0.65, unlucky: 1, disputed: 0.25 })
  expect(sharesWith({ timeouts: 'left out' })).toEqual({ ...usual, slow: 0.928571 })
  expect(sharesWith({ infrastructure: 'failed' })).toEqual({ ...usual, unlucky: 0.5 })
  expect(sharesWith({ neverStarted: 'failed' })).toEqual({ ...usual, unlucky: 0.5 })
  expect(sharesWith({ disputes: 'reviewed' })).toEqual({ ...usual, disputed: 0.3 })
})

test('a prompt that has only runs left out counts once a rule counts them', () => {
  const rows = (rules: Partial<CountingRules>) => toBoard(withRules(board, { ...usualRules, ...rules }), null).rows
  const promptsOf = (rules: Partial<CountingRules>) =>
    rows(rules).find(({ group }) => group === 'unlucky')?.prompts.size
  expect([promptsOf({}), promptsOf({ neverStarted: 'failed' })]).toEqual([1, 2])
})

test('the best and worst case count every run left out as solved, or none, and runs without tests as neither', () => {
  const { groups } = boundLeftOut(board, usualRules, ['unlucky', 'steady', 'slow', 'disputed'])
  expect(groups.get('unlucky')).toEqual({ leftOut: 15, rate: { low: 0.25, high: 1 }, places: { low: 1, high: 3 } })
  expect(groups.get('steady')).toEqual({ leftOut: 0, rate: { low: 0.65, high: 0.65 }, places: { low: 1, high: 2 } })
  const { groups: without } = boundLeftOut(board, { ...usualRules, timeouts: 'left out' }, ['slow', 'steady'])
  expect(without.get('slow')).toEqual({ leftOut: 8, rate: { low: 0.55, high: 0.95 }, places: { low: 1, high: 2 } })
})

test('only pairs whose order the runs left out could reverse are named, by the worst case on shared prompts', () => {
  const order = ['unlucky', 'steady', 'slow', 'disputed']
  const named = boundLeftOut(board, usualRules, order).reversals.map(({ ahead, behind, worst }) => [
    ahead,
    behind,
    Number(worst.toFixed(3)),
  ])
  expect(named).toEqual([
    ['unlucky', 'steady', -0.4],
    ['unlucky', 'slow', -0.3],
  ])
  const far = boardOf(
    ended('ahead', [0, 'solved', 9], [0, 'infrastructure', 1]),
    ended('behind', [0, 'failed', 9], [0, 'infrastructure', 1]),
    ended('elsewhere', [1, 'infrastructure', 9], [1, 'failed', 1]),
  )
  expect(boundLeftOut(far, usualRules, ['ahead', 'behind', 'elsewhere']).reversals).toEqual([])
})

test('no order of what the runs left out would have done leaves the bounds', () => {
  const rules = usualRules
  const names = ['a', 'b', 'c']
  const small = boardOf(
    ended('a', [0, 'solved', 2], [0, 'failed', 1], [0, 'infrastructure', 2]),
    ended('b', [0, 'solved', 1], [0, 'failed', 1], [0, 'canceled', 1]),
    ended('c', [0, 'solved', 1], [0, 'failed', 3], [0, 'never_started', 1]),
  )
  const { groups, reversals } = boundLeftOut(small, rules, names)
  const seen = new Set<string>()
  for (const a of [0, 1, 2])
    for (const b of [0, 1])
      for (const c of [0, 1]) {
        const shares = { a: (2 + a) / 5, b: (1 + b) / 3, c: (1 + c) / 5 } as Record<string, number>
        for (const name of names) {
          const { rate, places } = groups.get(name) ?? {}
          expect(shares[name]).toBeGreaterThanOrEqual(rate?.low ?? 1)
          expect(shares[name]).toBeLessThanOrEqual(rate?.high ?? 0)
          const ahead = names.filter((other) => (shares[other] ?? 0) > (shares[name] ?? 0)).length
          expect(ahead + 1).toBeLessThanOrEqual(places?.high ?? 0)
        }
        for (const [left, right] of [
          ['a', 'b'],
          ['a', 'c'],
          ['b', 'c'],
        ] as const)
          if ((shares[right] ?? 0) > (shares[left] ?? 0)) seen.add(`${left} ${right}`)
      }
  expect(new Set(reversals.map(({ ahead, behind }) => `${ahead} ${behind}`))).toEqual(seen)
})
