import { expect, test } from 'vitest'

import { seededRandom } from '#statistics/seeded-random.ts'
import { boardOf, groupOf } from './test-boards.ts'
import { expectBoard } from './expect-board.ts'
import { quantileOf, tailOf } from './independent-board.ts'

test('the independent distribution has the quantiles of printed tables', () => {
  for (const [degrees, quantile] of [
    [5, 2.570582],
    [10, 2.228139],
    [79, 1.99045],
  ] as const) {
    expect(quantileOf(degrees)).toBeCloseTo(quantile, 5)
    expect(tailOf(quantile, degrees)).toBeCloseTo(0.05, 6)
  }
})

/** Groups whose runs are solved as often as their skill and the prompt allow, from a seed. */
function simulate(skills: readonly number[], prompts: number, runs: number, seed: number) {
  const random = seededRandom(seed)
  const ease = Array.from({ length: prompts }, () => random())
  return skills.map((skill) =>
    ease.map((easy) => Array.from({ length: runs }, () => random()).filter((draw) => draw < easy * skill).length),
  )
}

test.each([
  ['nine equal groups', [0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7], 40, 5, 1],
  ['one group far ahead', [0.95, 0.5, 0.5, 0.4, 0.4], 40, 5, 2],
  ['several levels', [0.9, 0.85, 0.6, 0.55, 0.3, 0.25, 0.2], 60, 4, 3],
  ['two groups', [0.8, 0.7], 20, 5, 4],
  ['groups near 0', [0.1, 0.08, 0.05], 30, 5, 5],
])('every number of a leaderboard is that of an independent computation: %s', (_, skills, prompts, runs, seed) => {
  const solved = simulate(skills, prompts, runs, seed)
  const name = (place: number) => `group ${place}`
  const summary = boardOf(
    ...solved.map((own, place) =>
      groupOf(
        name(place),
        own.map((of) => [of, runs] as const),
      ),
    ),
  )
  const tallies = new Map(
    solved.map((own, place) => [name(place), new Map(own.map((of, prompt) => [`${prompt}`, { solved: of, runs }]))]),
  )
  expectBoard(summary, tallies)
})
