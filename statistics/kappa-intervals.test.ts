import { expect, test } from 'vitest'

import { atLength } from '#tools/test-length.ts'
import { type Rating, kappaIntervals } from './kappa-intervals.ts'
import { seededRandom } from './seeded-random.ts'
import { type Random, sampleNormal } from './simulated-scenarios.ts'

const ratingsOf = (table: readonly (readonly number[])[], prompts: number): Rating[] =>
  table
    .flatMap((row, first) => row.flatMap((runs, second) => Array.from({ length: runs }, () => [first, second])))
    .map(([first, second], run) => ({ first: `${first}`, second: `${second}`, prompt: `p${run % prompts}` }))

test('the intervals of a known table equal those of an independent program', () => {
  // Pseudo-values of κ without each run, and without each prompt, in exact fractions.
  const { thesePrompts, promptsLikeThese } = kappaIntervals(
    ratingsOf(
      [
        [20, 5],
        [10, 15],
      ],
      10,
    ),
  )
  expect([thesePrompts?.low, thesePrompts?.high]).toEqual([
    expect.closeTo(0.1388884845993099, 9),
    expect.closeTo(0.6611115154006901, 9),
  ])
  expect([promptsLikeThese?.low, promptsLikeThese?.high]).toEqual([
    expect.closeTo(0.2310889286627402, 9),
    expect.closeTo(0.5689110713372598, 9),
  ])
})

test('full agreement has an interval below 1, and a kappa that is not defined or of few runs has none', () => {
  const full = kappaIntervals(
    ratingsOf(
      [
        [10, 0],
        [0, 10],
      ],
      10,
    ),
  )
  expect(full.thesePrompts).toEqual({ low: expect.closeTo(2 * 0.05 ** (1 / 20) - 1, 12), high: 1 })
  expect(full.promptsLikeThese).toEqual({ low: expect.closeTo(2 * 0.05 ** (1 / 10) - 1, 12), high: 1 })
  expect(kappaIntervals(ratingsOf([[20]], 10))).toEqual({ thesePrompts: null, promptsLikeThese: null })
  expect(
    kappaIntervals(
      ratingsOf(
        [
          [2, 1],
          [0, 2],
        ],
        5,
      ),
    ),
  ).toEqual({ thesePrompts: null, promptsLikeThese: null })
  const unnamed = ratingsOf(
    [
      [20, 5],
      [10, 15],
    ],
    10,
  ).map((rating) => ({ ...rating, prompt: null }))
  expect(kappaIntervals(unnamed).promptsLikeThese).toBeNull()
  expect(kappaIntervals([])).toEqual({ thesePrompts: null, promptsLikeThese: null })
})

/** Two reviewers who each see the truth with the same chance. Prompts differ in how often their runs fail, and in how clear it is. */
function review(random: Random, { prompts, runs, spread }: { prompts: number; runs: number; spread: number }) {
  return Array.from({ length: prompts }, (_, prompt) => {
    const failing = 1 / (1 + Math.exp(-spread * sampleNormal(random)))
    const clear = 1 / (1 + Math.exp(-1.5 - spread * sampleNormal(random)))
    return Array.from({ length: runs }, (): Rating => {
      const fails = random() < failing
      const judge = () => String(random() < clear ? fails : !fails)
      return { first: judge(), second: judge(), prompt: `${prompt}` }
    })
  }).flat()
}

function kappaOf(ratings: readonly Rating[]) {
  const share = (is: (rating: Rating) => boolean) => ratings.filter(is).length / ratings.length
  const [first, second] = [share((each) => each.first === 'true'), share((each) => each.second === 'true')]
  const expected = first * second + (1 - first) * (1 - second)
  return (share((each) => each.first === each.second) - expected) / (1 - expected)
}

test('the intervals hold the true kappa in about 95 of 100 reviews', () => {
  for (const [title, world, scope] of [
    ['50 runs', { prompts: 50, runs: 1, spread: 0 }, 'thesePrompts'],
    ['20 prompts × 1, runs alike', { prompts: 20, runs: 1, spread: 0 }, 'thesePrompts'],
    ['10 prompts × 5', { prompts: 10, runs: 5, spread: 1.5 }, 'promptsLikeThese'],
    ['40 prompts × 5', { prompts: 40, runs: 5, spread: 1.5 }, 'promptsLikeThese'],
  ] as const) {
    const random = seededRandom(37)
    const kappa = kappaOf(review(random, { ...world, prompts: atLength(20_000, 100_000), runs: 5 }))
    const trials = atLength(300, 3000)
    const found = Array.from({ length: trials }, () => kappaIntervals(review(random, world)))
    const known = found.flatMap((intervals) => intervals[scope] ?? [])
    const held = known.filter(({ low, high }) => low <= kappa && kappa <= high).length / known.length
    console.info(`95 % intervals of kappa that hold it (${scope}, ${title}): ${(100 * held).toFixed(1)} %`)
    expect(held, title).toBeGreaterThan(0.9)
  }
}, 600_000)
