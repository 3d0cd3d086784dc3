import { expect, test } from 'vitest'

import type { Run } from '#contract/runs.ts'

import { toRequestGrid, variantsToRepeat } from './request-grid.ts'

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

test('variants with an errored or timed-out run are worth repeating, each once', () => {
  const timeLimit = { budgetSeconds: 60, planCapSeconds: 0, hit: true }
  const runs = [
    { ...run('a', 1), status: 'errored' },
    { ...run('a', 2), status: 'errored' },
    { ...run('b', 1), status: 'completed', timeLimit },
    { ...run('c', 1), status: 'completed' },
  ] as Run[]
  expect(variantsToRepeat(runs)).toEqual(['a', 'b'])
})
