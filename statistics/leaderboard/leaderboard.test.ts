import { describe, expect, test } from 'vitest'

import { seededRandom } from '#statistics/seeded-random.ts'
import { boardOf, groupOf, steady } from './test-boards.ts'
import { toBoard } from './leaderboard-rows.ts'
import { amountOf, rateOf } from './rate-interval.ts'

describe('the interval of a rate', () => {
  test('over prompts like these is Wilson’s with the spread of the prompt means and Student’s t, to 1e-9', () => {
    const means = [0.2, 0.4, 1, 0, 0.6, 0.8, 0.2, 1]
    const { share, interval } = rateOf(
      means.map((mean) => ({ runs: 5, mean, variance: (mean * (1 - mean) * 5) / 4 })),
      'prompts like these',
    )
    // Python: p = 0.525, t = scipy.stats.t.ppf(0.975, 7), n = p · (1 − p) ÷ scipy.stats.sem(x)² = 13.493…
    expect(share).toBeCloseTo(0.525, 12)
    expect(interval?.low).toBeCloseTo(0.247272611, 8)
    expect(interval?.high).toBeCloseTo(0.788077974, 8)
  })

  test('gives every prompt the same weight, whatever its number of runs', () => {
    const prompts = [
      { runs: 100, mean: 1, variance: 0 },
      { runs: 1, mean: 0, variance: null },
      { runs: 1, mean: 0, variance: null },
    ]
    for (const scope of ['prompts like these', 'these prompts'] as const)
      expect(rateOf(prompts, scope).share).toBeCloseTo(1 / 3, 12)
  })

  test('over these prompts leaves out the only prompt with a single run, instead of having no interval', () => {
    const repeated = [0.4, 0.6].map((mean) => ({ runs: 5, mean, variance: (mean * (1 - mean) * 5) / 4 }))
    const lone = { runs: 1, mean: 0, variance: null }
    expect(rateOf([...repeated, lone], 'these prompts')).toEqual(rateOf(repeated, 'these prompts'))
    expect(rateOf([...repeated, lone], 'prompts like these').share).toBeCloseTo(1 / 3, 12)
  })

  test('over these prompts counts only chance between runs of a prompt', () => {
    const alike = rateOf(
      [
        { runs: 5, mean: 0, variance: 0 },
        { runs: 5, mean: 1, variance: 0 },
        { runs: 5, mean: 0.4, variance: 0.3 },
      ],
      'these prompts',
    )
    // Only the third varies: (5/15)² × 0.3 ÷ 5, with 4 degrees of freedom.
    const reach = Math.sqrt((1 / 9) * 0.06) * 2.7764451051977987
    expect((alike.interval?.high ?? 0) - (alike.share ?? 0)).toBeCloseTo(reach, 9)
  })

  test('over these prompts is Wilson’s over the runs if every run is solved, or none', () => {
    const two = (mean: number) => Array.from({ length: 2 }, () => ({ runs: 54, mean, variance: 0 }))
    // statsmodels.stats.proportion.proportion_confint(108, 108, method='wilson')
    expect(rateOf(two(1), 'these prompts').interval).toEqual({ low: expect.closeTo(0.965653, 6), high: 1 })
    expect(rateOf(two(0), 'these prompts').interval).toEqual({ low: 0, high: expect.closeTo(0.034347, 6) })
    expect(rateOf([{ runs: 3, mean: 1, variance: 0 }], 'these prompts').interval?.low).toBeCloseTo(0.438503, 6)
  })

  test('over these prompts is not narrower with one failure than without any', () => {
    const [even, oneFailed] = [
      { runs: 54, mean: 1, variance: 0 },
      { runs: 54, mean: 53 / 54, variance: 1 / 54 },
    ]
    const without = rateOf([even, even], 'these prompts').interval?.low ?? 0
    expect(rateOf([even, oneFailed], 'these prompts').interval?.low).toBeLessThan(without)
  })

  test('over these prompts takes the prompts that are always solved apart from those that never are', () => {
    const interval = rateOf(
      [
        { runs: 10, mean: 1, variance: 0 },
        { runs: 10, mean: 0, variance: 0 },
      ],
      'these prompts',
    ).interval
    // Half of Wilson's reach for 10 of 10, which is 1.959964² ÷ (10 + 1.959964²).
    expect(interval?.low).toBeCloseTo(0.5 - 0.2775327998628892 / 2, 9)
    expect(interval?.high).toBeCloseTo(0.5 + 0.2775327998628892 / 2, 9)
  })

  test('holds the true rate in at least 93 of 100 samples of these prompts, however alike their runs', () => {
    const random = seededRandom(3)
    const worlds = [
      [0.98, 0.98],
      [0.99, 0.9, 0.5],
      Array.from({ length: 20 }, (_, prompt) => (prompt < 15 ? 0.97 : 0.05)),
    ]
    for (const chances of worlds) {
      const truth = chances.reduce((sum, chance) => sum + chance, 0) / chances.length
      let held = 0
      for (let sample = 0; sample < 1000; sample += 1) {
        const prompts = chances.map((chance) => {
          const solved = Array.from({ length: 10 }, () => Number(random() < chance))
          const mean = solved.reduce((sum, each) => sum + each, 0) / 10
          return { runs: 10, mean, variance: (10 / 9) * mean * (1 - mean) }
        })
        const { interval } = rateOf(prompts, 'these prompts')
        if (interval && interval.low <= truth && truth <= interval.high) held += 1
      }
      expect(held).toBeGreaterThan(930)
    }
  })

  test('means that differ only by rounding have no spread, and so no interval', () => {
    const alike = [0.1 + 0.2, 0.3, 0.3].map((mean) => ({ runs: 3, mean, variance: 0 }))
    expect(amountOf(alike, 'prompts like these').interval).toBeNull()
  })

  test('over prompts like these counts only the prompts if all runs are solved, and is missing for one prompt', () => {
    const all = Array.from({ length: 10 }, () => ({ runs: 5, mean: 1, variance: 0 }))
    const { interval } = rateOf(all, 'prompts like these')
    // 10 ÷ (10 + t²), with scipy.stats.t.ppf(0.975, 9) = 2.2621571627.
    expect(interval?.low).toBeCloseTo(0.661491377, 8)
    expect(interval?.high).toBe(1)
    expect(rateOf(all.slice(0, 1), 'prompts like these').interval).toBeNull()
    expect(rateOf([], 'prompts like these')).toEqual({ share: null, interval: null, runs: 0 })
  })
})

test('of groups with the same solved rate the better rank comes first', () => {
  const on20 = (solved: (prompt: number) => number) =>
    Array.from({ length: 20 }, (_, prompt) => [solved(prompt), 5] as const)
  const even = groupOf(
    'even',
    on20(() => 2),
  )
  const uneven = groupOf(
    'uneven',
    on20((prompt) => (prompt < 8 ? 5 : 0)),
  )
  const { rows } = toBoard(boardOf(steady('best', 3), even, uneven), null)
  expect(rows.map(({ group, solved, rank }) => [group, solved.share?.toFixed(2), rank?.rank])).toEqual([
    ['best', '0.59', 1],
    ['uneven', '0.40', 1],
    ['even', '0.40', 2],
  ])
})

test('groups that cannot be told apart share a rank, and each rank has a range', () => {
  const { rows, relation } = toBoard(boardOf(steady('a', 4), steady('b', 4), steady('c', 1)), null)
  expect(rows.map(({ group, rank }) => [group, rank?.rank, rank?.range])).toEqual([
    ['a', 1, { low: 1, high: 2 }],
    ['b', 1, { low: 1, high: 2 }],
    ['c', 3, { low: 3, high: 3 }],
  ])
  expect(relation.best).toBeNull()
})

test('runs without a recorded cost are counted, and prompts that only others have are listed', () => {
  const [full, part] = toBoard(
    boardOf(
      groupOf(
        'full',
        [
          [5, 5],
          [5, 5],
        ],
        { costUsd: 4, runs: 10, solved: 10 },
      ),
      groupOf('part', [[0, 5]], { costUsd: 1, runs: 2, solved: 0 }),
    ),
    'these prompts',
  ).rows
  expect(full).toMatchObject({ costPerSolved: 0.4, unpaid: 0, missingPrompts: [] })
  expect(part).toMatchObject({ costPerSolved: null, unpaid: 3, missingPrompts: ['prompt 1'] })
})
