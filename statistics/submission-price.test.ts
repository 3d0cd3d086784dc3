import { expect, test } from 'vitest'

import { quantile } from './moments.ts'
import {
  computeShareOf,
  countUnpriced,
  creditOfRun,
  type PastRun,
  submissionPrice,
  toCostHistory,
} from './submission-price.ts'

const run = (variantId: string, costUsd: number | null, mock = false): PastRun => ({
  variantId,
  model: 'm',
  costUsd,
  spendKind: 'managed',
  mock,
})

test('mock runs and runs without a known cost do not count as history', () => {
  const history = toCostHistory([run('a', 1), run('a', 3), run('a', null), run('b', 0, true)])
  expect([...history]).toEqual([['a', [1, 3]]])
})

test('a cost is that of the models and the compute, and a run without a model needs only the compute', () => {
  const runs: PastRun[] = [
    { ...run('a', 1), computeUsd: 0.25 },
    { ...run('b', null), model: null, computeUsd: 0.5 },
    { ...run('c', null), computeUsd: 0.5 },
  ]
  expect([...toCostHistory(runs)]).toEqual([
    ['a', [1.25]],
    ['b', [0.5]],
  ])
  expect(countUnpriced(['a', 'b', 'c'], runs)).toBe(1)
  expect(computeShareOf(['a'], runs)).toBeCloseTo(0.2)
  expect(computeShareOf(['c'], runs)).toBeNull()
})

test('credit pays only the compute of a run that uses its own key', () => {
  const own: PastRun = { ...run('a', 1), computeUsd: 0.25, spendKind: 'byok' }
  expect(creditOfRun(own)).toBe(0.25)
  expect(creditOfRun({ ...own, spendKind: 'managed' })).toBe(1.25)
})

test('a constant cost is multiplied by the number of runs', () => {
  const history = toCostHistory([run('a', 2), run('a', 2), run('b', 0.5)])
  expect(submissionPrice({ variantIds: ['a', 'b'], repeat: 10 }, history)).toEqual({
    p50: 25,
    p90: 25,
    unknownCount: 0,
    sampleCount: 3,
  })
})

test('variants without a history are counted, not estimated', () => {
  const history = toCostHistory([run('a', 2)])
  expect(submissionPrice({ variantIds: ['a', 'b', 'c'], repeat: 1 }, history)).toMatchObject({
    p50: 2,
    unknownCount: 2,
  })
  expect(submissionPrice({ variantIds: ['b'], repeat: 5 }, history)).toMatchObject({
    p50: null,
    p90: null,
    unknownCount: 1,
  })
})

test('the same submission always has the same price', () => {
  const history = toCostHistory(skewed('a').map((cost) => run('a', cost)))
  const price = () => submissionPrice({ variantIds: ['a'], repeat: 7 }, history)
  expect(price()).toEqual(price())
})

// On both sides of the switch to the normal approximation, checked with other random numbers and more draws.
test.each([1, 5, 32, 33, 200])('the price of 2 variants × %i repeats agrees with a simulation', (repeat) => {
  const samples = { a: skewed('a'), b: skewed('b') }
  const history = toCostHistory(Object.entries(samples).flatMap(([id, costs]) => costs.map((cost) => run(id, cost))))
  const price = submissionPrice({ variantIds: ['a', 'b'], repeat }, history)
  const sums = simulate(Object.values(samples), repeat)
  expect((price.p50 ?? 0) / quantile(sums, 0.5)).toBeCloseTo(1, 1)
  expect((price.p90 ?? 0) / quantile(sums, 0.9)).toBeCloseTo(1, 1)
})

/** Forty costs with a long tail, as real agents have. */
function skewed(id: string) {
  const scale = id === 'a' ? 0.2 : 1
  return Array.from({ length: 40 }, (_, rank) => scale * Math.exp(rank / 16))
}

function simulate(samples: number[][], repeat: number) {
  // Numerical Recipes' linear congruential generator, which is unrelated to the generator under test.
  let state = 42
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 4_294_967_296
  return Array.from({ length: 5000 }, () =>
    samples.reduce((sum, costs) => {
      let total = sum
      for (let run = 0; run < repeat; run += 1) total += costs[Math.floor(random() * costs.length)] ?? 0
      return total
    }, 0),
  ).toSorted((a, b) => a - b)
}

test('runs whose cost nobody recorded are counted only for variants that have no cost at all, and not if they are mock', () => {
  const runs = [run('a', 1), run('a', null), run('b', null), run('b', null), run('b', null, true), run('c', null)]
  expect(countUnpriced(['a', 'b'], runs)).toBe(2)
  expect(countUnpriced(['d'], runs)).toBe(0)
})
