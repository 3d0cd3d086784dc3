import { expect, test } from 'vitest'

import { boardOf, groupOf } from './test-boards.ts'
import { toBoard } from './leaderboard-rows.ts'

type Tally = readonly [solved: number, runs: number]

const on = (prompts: number, ...tallies: readonly Tally[]): Tally[] =>
  Array.from({ length: prompts }, (_, prompt) => tallies[prompt % tallies.length] ?? [0, 0])

test('a group that ran only the easy prompts does not hide the best one, which beats it on those that both ran', () => {
  const alpha = groupOf('alpha', on(10, [4, 5]))
  const beta = groupOf('beta', [...on(10, [4, 5], [5, 5]), ...on(10, [0, 5], [1, 5])])
  const gamma = groupOf('gamma', [...on(10, [1, 5]), ...on(10, [0, 5])])
  const { rows, relation, scope } = toBoard(boardOf(alpha, beta, gamma), null)
  expect(scope).toBe('prompts like these')
  expect(relation.best).toBe('beta')
  expect(rows.map(({ group, rank, solved }) => [group, rank?.rank, solved.share])).toEqual([
    ['beta', 1, expect.closeTo(0.5, 12)],
    ['alpha', 2, expect.closeTo(0.8, 12)],
    ['gamma', 3, expect.closeTo(0.1, 12)],
  ])
  const pair = relation.between('beta', 'alpha')
  // R: t.test on ten differences of 0 and 0.2 in turn: t = 3, df = 9, p = 0.01496, 95 % 0.0246 to 0.1754.
  expect(pair).toMatchObject({ prompts: 10, left: expect.closeTo(0.9, 12), right: expect.closeTo(0.8, 12) })
  expect(pair.difference).toBeCloseTo(0.1, 12)
  expect(pair.interval?.low).toBeCloseTo(0.024594, 5)
  expect(pair.interval?.high).toBeCloseTo(0.175406, 5)
  expect(pair.pValue).toBeCloseTo(0.014956, 5)
  expect(pair.adjustedP).toBeCloseTo(2 * 0.014956, 5)
  expect(relation.between('alpha', 'beta').difference).toBeCloseTo(-0.1, 12)
})

test('many runs of easy prompts do not make a group the best: every prompt counts the same', () => {
  const alpha = groupOf('alpha', [...on(10, [10, 10]), ...on(10, [0, 1])])
  const beta = groupOf('beta', [...on(10, [5, 5]), ...on(10, [4, 5])])
  const { rows, relation } = toBoard(boardOf(alpha, beta), null)
  // 100 of the 110 runs of alpha are solved, and 90 of the 100 of beta.
  expect(rows.map(({ group, solved }) => [group, solved.share])).toEqual([
    ['beta', expect.closeTo(0.9, 12)],
    ['alpha', expect.closeTo(0.5, 12)],
  ])
  expect(relation.best).toBe('beta')
  expect(relation.between('beta', 'alpha').difference).toBeCloseTo(0.4, 12)
})

test('no group is best that shares no prompt with another one', () => {
  const best = groupOf('best', on(10, [5, 5]))
  const worst = groupOf('worst', on(10, [0, 5], [1, 5]))
  const apart = groupOf('apart', [...on(10, [0, 0]), ...on(10, [4, 5], [5, 5])])
  const { relation, rows } = toBoard(boardOf(best, worst, apart), null)
  expect(relation.best).toBeNull()
  expect(relation.between('best', 'worst').adjustedP).toBeLessThan(0.001)
  expect(relation.between('best', 'apart')).toMatchObject({ difference: null, adjustedP: null, prompts: 0 })
  expect(rows.find(({ group }) => group === 'apart')?.rank).toEqual({ rank: 1, range: { low: 1, high: 3 } })
})

test('runs of one group that are all alike are no certainty on these prompts', () => {
  const alike = groupOf('alike', on(10, [2, 2]))
  const nearly = groupOf('nearly', on(10, [28, 30], [29, 30], [30, 30]))
  const { relation } = toBoard(boardOf(alike, nearly), 'these prompts')
  const { pValue, interval } = relation.between('alike', 'nearly')
  // Welch’s test alone gives 0.00095; among 200,000 shuffles of the runs within prompts, 63 % are as far apart.
  expect(pValue).toBeGreaterThan(0.1)
  expect(interval?.low).toBeLessThan(0)
  expect(relation.best).toBeNull()
})

test('one prompt with a single run is left out and named on these prompts, and silences nothing', () => {
  const careful = groupOf('careful', [...on(6, [4, 5], [5, 5]), [1, 1]])
  const hasty = groupOf('hasty', [...on(6, [1, 5], [0, 5]), [1, 5]])
  const { relation, rows } = toBoard(boardOf(careful, hasty), 'these prompts')
  expect(relation.best).toBe('careful')
  expect(relation.between('careful', 'hasty')).toMatchObject({ prompts: 6, leftOut: 'prompt 6' })
  expect(rows.map(({ group, lonePrompt, solved }) => [group, lonePrompt, solved.interval !== null])).toEqual([
    ['careful', 'prompt 6', true],
    ['hasty', null, true],
  ])
})
