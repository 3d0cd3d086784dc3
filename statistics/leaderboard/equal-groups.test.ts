import { expect, test } from 'vitest'

import { boundOfPrompts } from '#statistics/bound-of-equal.ts'
import { drawSolved } from './simulated-groups.ts'
import { pairedDifference } from './paired-difference.ts'
import { seededRandom } from '#statistics/seeded-random.ts'

test('without a difference on 80 prompts, groups may still differ by 3.7 points, and with one prompt by 95', () => {
  expect(boundOfPrompts(Array.from({ length: 80 }, () => 0))).toBeCloseTo(0.036754, 6)
  expect(boundOfPrompts([0])).toBeCloseTo(0.95, 12)
  expect(boundOfPrompts([0, 0.1])).toBeNull()
})

test.each([
  { prompts: 8, runs: 1 },
  { prompts: 8, runs: 4 },
  { prompts: 20, runs: 2 },
])(
  'groups that differ by more than the bound are alike on all of $prompts prompts × $runs in 5 of 100 cases at most',
  ({ prompts, runs }) => {
    const random = seededRandom(38)
    const equal = pairedDifference(...twice(prompts, runs, 1), 'these prompts', 1)
    const bound = equal.bound ?? 0
    expect(equal).toMatchObject({ difference: 0, interval: null })
    let alike = 0
    const trials = 2000
    for (let trial = 0; trial < trials; trial += 1) {
      const always = drawSolved(
        random,
        Array.from({ length: prompts }, () => 1),
        runs,
      )
      const rarer = drawSolved(
        random,
        Array.from({ length: prompts }, () => 1 - bound),
        runs,
      )
      if (pairedDifference(always, rarer, 'these prompts', 1).bound !== null) alike += 1
    }
    expect(alike / trials).toBeLessThan(0.05 + 0.016)
    expect(alike / trials).toBeGreaterThan(0.05 - 0.016)
  },
)

const twice = (prompts: number, runs: number, chance: number) => {
  const one = () =>
    drawSolved(
      seededRandom(1),
      Array.from({ length: prompts }, () => chance),
      runs,
    )
  return [one(), one()] as const
}
