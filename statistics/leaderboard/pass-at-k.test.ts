import { expect, test } from 'vitest'

import { seededRandom } from '#statistics/seeded-random.ts'
import { atLength } from '#tools/test-length.ts'
import { passAtK, passToK, type Solved } from './pass-at-k.ts'
import { drawSolved, pairWorlds } from './simulated-groups.ts'

const likeThese = 'prompts like these'

test('pass@k and pass^k equal the share of all draws of k runs, over the prompts with enough runs', () => {
  const prompts = [
    { runs: 5, solved: 2 },
    { runs: 4, solved: 0 },
    { runs: 1, solved: 1 },
  ]
  // Of the 10 pairs of 5 runs, 3 have neither of the 2 solved ones, and 1 has both.
  expect(passAtK(prompts, 2, likeThese)).toMatchObject({ mean: expect.closeTo(0.7 / 2, 12), prompts: 2 })
  expect(passToK(prompts, 2, likeThese)).toMatchObject({ mean: expect.closeTo(0.1 / 2, 12), prompts: 2 })
  expect(passAtK(prompts, 1, likeThese).mean).toBeCloseTo((0.4 + 0 + 1) / 3, 12)
  expect(passAtK(prompts, 6, likeThese)).toEqual({ mean: null, interval: null, prompts: 0 })
})

/** The share of the draws of k runs of which one is solved, or all are: every draw is counted. */
function shareOfDraws({ runs, solved }: Solved, k: number, wants: 'one' | 'all') {
  let [draws, wanted] = [0, 0]
  for (let drawn = 0; drawn < 2 ** runs; drawn += 1) {
    const places = Array.from({ length: runs }, (_, place) => place).filter((place) => (drawn >> place) & 1)
    if (places.length !== k) continue
    const successes = places.filter((place) => place < solved).length
    draws += 1
    if (wants === 'one' ? successes > 0 : successes === k) wanted += 1
  }
  return wanted / draws
}

test('the interval for prompts like these is Wilson’s with the spread of the prompts’ estimates and Student’s t, to 1e-9', () => {
  const solved = [0, 1, 2, 3, 4, 5, 1, 4]
  const prompts = solved.map((count) => ({ runs: 5, solved: count }))
  for (const [k, wants, of] of [
    [2, 'one', passAtK],
    [3, 'one', passAtK],
    [2, 'all', passToK],
  ] as const) {
    const shares = prompts.map((prompt) => shareOfDraws(prompt, k, wants))
    const mean = shares.reduce((sum, share) => sum + share, 0) / 8
    const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / 7
    // scipy.stats.t.ppf(0.975, 7)
    const t = 2.3646242515927849
    const draws = Math.max(8, (mean * (1 - mean)) / (variance / 8))
    const [middle, scale] = [mean + t ** 2 / (2 * draws), 1 + t ** 2 / draws]
    const reach = t * Math.sqrt((mean * (1 - mean)) / draws + t ** 2 / (4 * draws ** 2))
    const found = of(prompts, k, likeThese)
    expect(found.mean).toBeCloseTo(mean, 9)
    expect(found.interval?.low).toBeCloseTo((middle - reach) / scale, 9)
    expect(found.interval?.high).toBeCloseTo((middle + reach) / scale, 9)
  }
})

test('the interval for these prompts follows from all outcomes of independent runs, each counted, to 1e-9', () => {
  const prompts = [
    { runs: 5, solved: 2 },
    { runs: 4, solved: 4 },
    { runs: 3, solved: 0 },
  ]
  const shares = prompts.map((prompt) => shareOfDraws(prompt, 2, 'one'))
  const mean = shares.reduce((sum, share) => sum + share, 0) / 3
  const variances = prompts.map(({ runs, solved }) => {
    const chance = (solved + 0.5) / (runs + 1)
    const outcomes = Array.from({ length: 2 ** runs }, (_, outcome) => {
      const count = Array.from({ length: runs }, (_run, place) => (outcome >> place) & 1).filter(Boolean).length
      return {
        weight: chance ** count * (1 - chance) ** (runs - count),
        share: shareOfDraws({ runs, solved: count }, 2, 'one'),
      }
    })
    const expected = outcomes.reduce((sum, { weight, share }) => sum + weight * share, 0)
    return outcomes.reduce((sum, { weight, share }) => sum + weight * (share - expected) ** 2, 0)
  })
  const draws = (mean * (1 - mean)) / (variances.reduce((sum, variance) => sum + variance, 0) / 9)
  const z = 1.959963984540054
  const [middle, scale] = [mean + z ** 2 / (2 * draws), 1 + z ** 2 / draws]
  const reach = z * Math.sqrt((mean * (1 - mean)) / draws + z ** 2 / (4 * draws ** 2))
  const { interval } = passAtK(prompts, 2, 'these prompts')
  expect(interval?.low).toBeCloseTo((middle - reach) / scale, 6)
  expect(interval?.high).toBeCloseTo((middle + reach) / scale, 6)
})

test('there is no interval for prompts like a single one, or without enough runs', () => {
  const prompts = [
    { runs: 4, solved: 1 },
    { runs: 4, solved: 3 },
  ]
  expect(passAtK(prompts.slice(1), 2, likeThese).interval).toBeNull()
  for (const scope of ['these prompts', likeThese] as const) expect(passToK(prompts, 5, scope).interval).toBeNull()
  expect(passAtK(prompts, 2, likeThese).interval).not.toBeNull()
  expect(passAtK(prompts.slice(1), 2, 'these prompts').interval).not.toBeNull()
})

test('prompts whose runs are all alike are no certainty on these prompts', () => {
  const { mean, interval } = passToK(
    [
      { runs: 3, solved: 3 },
      { runs: 3, solved: 3 },
    ],
    3,
    'these prompts',
  )
  expect([mean, interval?.high]).toEqual([1, 1])
  expect(interval?.low).toBeLessThan(0.8)
})

test('the interval for these prompts holds the true value in about 95 of 100 experiments', () => {
  const trials = atLength(100, 4000)
  for (const { title, chances, left: runs } of pairWorlds.filter(({ left }) => left >= 3))
    for (const [name, of, truthOf] of [
      ['pass@2', passAtK, (chance: number) => 1 - (1 - chance) ** 2],
      ['pass^3', passToK, (chance: number) => chance ** 3],
    ] as const) {
      const random = seededRandom(12)
      const truth = chances.reduce((sum, chance) => sum + truthOf(chance), 0) / chances.length
      let held = 0
      for (let trial = 0; trial < trials; trial += 1) {
        const prompts = [...drawSolved(random, chances, runs).values()].map(({ mean }) => ({
          runs,
          solved: Math.round(mean * runs),
        }))
        const { interval } = of(prompts, name === 'pass@2' ? 2 : 3, 'these prompts')
        if (interval && interval.low <= truth && truth <= interval.high) held += 1
      }
      console.info(
        `95 % intervals that hold ${name} on these prompts, ${title}: ${((100 * held) / trials).toFixed(1)} %`,
      )
      expect(held / trials, title).toBeGreaterThan(0.9 - 3.1 * Math.sqrt(0.09 / trials))
    }
}, 60_000)

test('the interval holds the true value in at least 93 of 100 samples of prompts', () => {
  const random = seededRandom(11)
  const samples = 1000
  // Prompts have a chance between 0 and 1, all equally likely, so pass@2 is 1 − ∫(1 − p)² = 2/3 and pass^2 is 1/3.
  for (const [of, truth] of [
    [passAtK, 2 / 3],
    [passToK, 1 / 3],
  ] as const) {
    let held = 0
    for (let sample = 0; sample < samples; sample += 1) {
      const prompts = Array.from({ length: 40 }, () => {
        const chance = random()
        return { runs: 5, solved: Array.from({ length: 5 }, () => random() < chance).filter(Boolean).length }
      })
      const { interval } = of(prompts, 2, likeThese)
      if (interval && interval.low <= truth && truth <= interval.high) held += 1
    }
    expect(held / samples).toBeGreaterThan(0.93)
  }
})
