import { expect, test } from 'vitest'

import { cohensKappa } from './cohens-kappa.ts'

/** The runs of a contingency table: rows are the first reviewer's categories, columns the second's. */
const table = (rows: readonly (readonly number[])[]) =>
  rows.flatMap((row, first) => row.map((runs, second) => ({ first: `${first}`, second: `${second}`, runs })))

/** Computed with exact fractions in another program. The first three are the textbook examples with 50 and 100 cases. */
test.each([
  [
    [
      [20, 5],
      [10, 15],
    ],
    50,
    35,
    0.4,
  ],
  [
    [
      [45, 15],
      [25, 15],
    ],
    100,
    60,
    0.13043478260869565,
  ],
  [
    [
      [25, 35],
      [5, 35],
    ],
    100,
    60,
    0.25925925925925924,
  ],
  [
    [
      [11, 3, 1],
      [2, 14, 4],
      [0, 5, 10],
    ],
    50,
    35,
    0.5426829268292683,
  ],
  [
    [
      [0, 10],
      [10, 0],
    ],
    20,
    0,
    -1,
  ],
  [
    [
      [7, 0],
      [0, 3],
    ],
    10,
    10,
    1,
  ],
  [
    [
      [9, 1],
      [0, 0],
    ],
    10,
    9,
    0,
  ],
  [
    [
      [1, 1, 1, 1],
      [1, 1, 1, 1],
      [1, 1, 1, 1],
      [1, 1, 1, 1],
    ],
    16,
    4,
    0,
  ],
])('the kappa of %j is as computed independently', (rows, runs, agreed, kappa) => {
  const found = cohensKappa(table(rows))
  expect(found).toMatchObject({ runs, agreed, observed: agreed / runs })
  expect(found.kappa).toBeCloseTo(kappa, 12)
})

test('without runs, no share and no kappa is defined', () => {
  expect(cohensKappa([])).toEqual({ runs: 0, agreed: 0, observed: null, expected: null, kappa: null })
})

test('kappa is not defined if both reviewers used one category for every run', () => {
  expect(cohensKappa(table([[12]]))).toEqual({ runs: 12, agreed: 12, observed: 1, expected: 1, kappa: null })
})

test('pairs may repeat and come in any order', () => {
  const pairs = table([
    [20, 5],
    [10, 15],
  ]).flatMap((pair) => Array.from({ length: pair.runs }, () => ({ ...pair, runs: 1 })))
  expect(cohensKappa(pairs.toReversed()).kappa).toBeCloseTo(0.4, 12)
})
