import { expect, test } from 'vitest'

import type { Run } from '#contract/runs.ts'

import { toRequestGrid } from './request-grid.ts'

const run = (variantId: string, repeat: number) => ({ variantId, repeat }) as Run

test('variants down, repeats across, in the order they were submitted', () => {
  const grid = toRequestGrid(['b', 'a'], 2, [run('a', 2), run('b', 1), run('b', 2)])
  expect(grid.map(({ variantId }) => variantId)).toEqual(['b', 'a'])
  expect(grid.map(({ runs }) => runs.map((cell) => cell?.repeat))).toEqual([
    [1, 2],
    [undefined, 2],
  ])
})

test('runs of other requests and repeats out of range are left out', () => {
  expect(toRequestGrid(['a'], 1, [run('x', 1), run('a', 7)])).toEqual([{ variantId: 'a', runs: [undefined] }])
})
