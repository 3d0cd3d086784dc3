import { expect, test } from 'vitest'

import type { Run } from '#contract/runs.ts'

import { idsBetween, placeAfter, toRequestGrid, findRunsToRepeat } from './request-grid.ts'

const run = (variantId: string, repeat: number, status: Run['status'] = 'running') =>
  ({ variantId, repeat, status, runUuid: `${variantId}${repeat}` }) as Run

test('the grid has variants as rows and repeats as columns, in the order they were submitted', () => {
  const grid = toRequestGrid(['b', 'a'], 2, [run('a', 2), run('b', 1), run('b', 2)])
  expect(grid.map(({ variantId }) => variantId)).toEqual(['b', 'a'])
  expect(grid.map(({ runs }) => runs.map((cell) => cell?.repeat))).toEqual([
    [1, 2],
    [undefined, 2],
  ])
})

const repeatsOf = (grid: ReturnType<typeof toRequestGrid>) =>
  grid.map(({ variantId, runs }) => [variantId, runs.map((cell) => cell?.repeat)])

test('an imported request whose repeats continue an earlier request has a square for every run', () => {
  expect(repeatsOf(toRequestGrid(['a', 'b'], 2, [run('a', 5), run('b', 1), run('a', 4), run('b', 2)]))).toEqual([
    ['a', [4, 5]],
    ['b', [1, 2]],
  ])
})

test('runs that an import added to a request later have squares, and all rows stay equally long', () => {
  expect(repeatsOf(toRequestGrid(['a', 'b'], 1, [run('a', 7), run('a', 8), run('b', 1), run('later', 3)]))).toEqual([
    ['a', [7, 8]],
    ['b', [1, undefined]],
    ['later', [3, undefined]],
  ])
})

const threeByThree = toRequestGrid(
  ['a', 'b', 'c'],
  3,
  ['a', 'b', 'c'].flatMap((id) => [run(id, 1), run(id, 2, 'completed'), run(id, 3)]),
)

test('a range is the rectangle between two squares, in either order', () => {
  const ids = idsBetween(threeByThree, { row: 2, column: 2 }, { row: 1, column: 1 })
  expect(ids).toEqual(['b2', 'b3', 'c2', 'c3'])
  expect(idsBetween(threeByThree, { row: 1, column: 1 }, { row: 2, column: 2 })).toEqual(ids)
})

test('arrow keys stop at the edges, and other keys do not move', () => {
  const from = { row: 0, column: 1 }
  expect(placeAfter('ArrowUp', from, threeByThree)).toEqual(from)
  expect(placeAfter('ArrowDown', from, threeByThree)).toEqual({ row: 1, column: 1 })
  expect(placeAfter('End', from, threeByThree)).toEqual({ row: 0, column: 2 })
  expect(placeAfter('x', from, threeByThree)).toBeNull()
})

test('variants with errored or timed-out runs are offered for a rerun, with as many repeats as their largest number of failures', () => {
  const timeLimit = { budgetSeconds: 60, planCapSeconds: 0, hit: true }
  const runs = [
    run('a', 1, 'errored'),
    run('a', 2, 'errored'),
    { ...run('b', 1, 'completed'), timeLimit },
    run('c', 1, 'completed'),
  ]
  expect(findRunsToRepeat(runs)).toEqual({ variantIds: ['a', 'b'], repeat: 2 })
  expect(findRunsToRepeat([])).toEqual({ variantIds: [], repeat: 1 })
})
