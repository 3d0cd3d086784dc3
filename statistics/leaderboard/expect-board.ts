import { expect } from 'vitest'

import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { pairOfTallies, ranksOf, rateOfTallies, type Tallies } from './independent-board.ts'
import { toBoard } from './leaderboard-rows.ts'

/** For tests: every number of the board of a summary is that of an independent computation from these tallies. */
export function expectBoard(summary: LeaderboardSummary, tallies: ReadonlyMap<string, Tallies>) {
  const { rows, relation, scope } = toBoard(summary, null)
  expect(scope).toBe('prompts like these')
  const groups = rows.map(({ group }) => group)
  expect(groups.toSorted()).toEqual([...tallies.keys()].toSorted())
  const of = (group: string): Tallies => tallies.get(group) ?? new Map()
  const pairs = groups.flatMap((left, place) =>
    groups.slice(place + 1).map((right) => ({ left, right, ...pairOfTallies(of(left), of(right)) })),
  )
  for (const { left, right, difference, low, high, p } of pairs) {
    const pair = relation.between(left, right)
    expect(pair.difference).toBeCloseTo(difference, 10)
    expect(pair.interval?.low).toBeCloseTo(low, 8)
    expect(pair.interval?.high).toBeCloseTo(high, 8)
    expect(pair.pValue).toBeCloseTo(p, 8)
  }
  const expected = ranksOf(groups, pairs)
  expect(relation.best).toBe(expected.best)
  for (const [place, { group, solved, counted, prompts, rank }] of rows.entries()) {
    const rate = rateOfTallies(of(group))
    expect([counted, [...prompts.values()].reduce((sum, tally) => sum + tally.solved, 0)]).toEqual([
      rate.runs,
      rate.solved,
    ])
    expect(solved.share).toBeCloseTo(rate.share, 12)
    expect(solved.interval?.low).toBeCloseTo(rate.low, 8)
    expect(solved.interval?.high).toBeCloseTo(rate.high, 8)
    const ours = expected.ranks[place]
    expect(rank).toEqual({ rank: ours?.rank, range: { low: ours?.low, high: ours?.high } })
  }
  return { rows, relation, pairs }
}
