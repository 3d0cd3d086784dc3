import { describe, expect, test } from 'vitest'

import { seededRandom } from '#statistics/seeded-random.ts'
import { boardOf, groupOf, steady } from './boards.ts'
import { toRows } from './leaderboard-rows.ts'
import { rankGroups } from './rank-groups.ts'
import { amountOf, rateOf } from './rate-interval.ts'

describe('the interval of a rate', () => {
  test('over prompts like these is Student’s interval of the prompt means, to 1e-9', () => {
    const means = [0.2, 0.4, 1, 0, 0.6, 0.8, 0.2, 1]
    const { share, interval } = rateOf(
      means.map((mean) => ({ runs: 5, mean, variance: null })),
      'prompts like these',
    )
    // scipy.stats.t.interval(0.95, 7, loc=numpy.mean(x), scale=scipy.stats.sem(x))
    expect(share).toBeCloseTo(0.525, 12)
    expect(interval?.low).toBeCloseTo(0.203531591032, 9)
    expect(interval?.high).toBeCloseTo(0.846468408968, 9)
  })

  test('with unequal numbers of runs is that of a ratio of sums over prompts', () => {
    const { share, interval } = rateOf(
      [
        { runs: 1, mean: 1, variance: null },
        { runs: 3, mean: 1 / 3, variance: null },
        { runs: 2, mean: 0.5, variance: null },
      ],
      'prompts like these',
    )
    // Residuals runs × (mean − share) are 0.5, −0.5 and 0; their sum of squares × 3/2, rooted, over 6 runs; t with 2 degrees.
    expect(share).toBe(0.5)
    const reach = (Math.sqrt(0.5 * 1.5) / 6) * 4.302652729911275
    expect(interval?.low).toBe(0)
    expect(interval?.high).toBeCloseTo(Math.min(1, 0.5 + reach), 9)
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

  test('rounding is no spread: equal prompts have Wilson’s interval, whatever their rate', () => {
    // In floating point, 49 · (1 ÷ 49) is not 1.
    for (const runs of [49, 98, 103, 107, 161]) {
      const mean = 1 / runs
      const prompt = { runs, mean, variance: (mean * (1 - mean) * runs) / (runs - 1) }
      const { interval } = rateOf([prompt, prompt], 'prompts like these')
      expect((interval?.high ?? 0) - (interval?.low ?? 0)).toBeGreaterThan(0.5)
    }
    const alike = [0.1 + 0.2, 0.3, 0.3].map((mean) => ({ runs: 3, mean, variance: 0 }))
    expect(amountOf(alike, 'prompts like these').interval).toBeNull()
  })

  test('over prompts like these is Wilson’s over the prompts if no prompt differs, and missing for one', () => {
    const all = Array.from({ length: 10 }, () => ({ runs: 5, mean: 1, variance: 0 }))
    const { interval } = rateOf(all, 'prompts like these')
    expect(interval?.low).toBeCloseTo(0.7224672001371, 9)
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
  const rows = toRows(boardOf(steady('best', 3), even, uneven), 'prompts like these')
  expect(rows.map(({ group, solved, rank }) => [group, solved.share?.toFixed(2), rank?.rank])).toEqual([
    ['best', '0.59', 1],
    ['uneven', '0.40', 1],
    ['even', '0.40', 2],
  ])
})

test('groups that cannot be told apart share a rank, and each rank has a range', () => {
  const rows = toRows(boardOf(steady('a', 4), steady('b', 4), steady('c', 1)), 'prompts like these')
  expect(rows.map(({ group, rank }) => [group, rank?.rank])).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 3],
  ])
  expect(rows[2]?.rank?.range).toEqual({ low: 3, high: 3 })
})

test('runs without a recorded cost are counted, and prompts that only others have are listed', () => {
  const [full, part] = toRows(
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
  )
  expect(full).toMatchObject({ costPerSolved: 0.4, unpaid: 0, missingPrompts: [] })
  expect(part).toMatchObject({ costPerSolved: null, unpaid: 3, missingPrompts: ['prompt 1'] })
})

test('where two groups are equally the best, one is named best in about 5 of 100 experiments', () => {
  const random = seededRandom(7)
  const experiments = 1000
  let named = 0
  for (let experiment = 0; experiment < experiments; experiment += 1) {
    const hardness = Array.from({ length: 20 }, () => random())
    const groups = [0, 0, 0.35].map((handicap, place) => ({
      group: `${place}`,
      prompts: new Map(
        hardness.map((chance, prompt) => {
          const solved = Array.from({ length: 3 }, () => random() < chance - handicap).filter(Boolean).length
          return [`${prompt}`, { runs: 3, solved }]
        }),
      ),
    }))
    const ranks = rankGroups(groups, 'prompts like these', { draws: 2 }) ?? []
    if (ranks.filter(({ rank }) => rank === 1).length === 1) named += 1
  }
  console.log(`a best group was named in ${named} of ${experiments} experiments without one`)
  expect(named / experiments).toBeLessThan(0.08)
})
