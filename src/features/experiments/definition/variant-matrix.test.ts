import { expect, test } from 'vitest'

import type { Definition } from '#contract/definition.ts'
import { axesOf, variantsOf } from '#contract/variants.ts'
import { variantMatrix } from './variant-matrix.ts'

const definition = (more: Partial<Definition>): Definition => ({
  id: 'x',
  name: 'X',
  agents: [
    { id: 'a', command: ['x'] },
    { id: 'b', command: ['x'] },
  ],
  ...more,
})

const matrixOf = (more: Partial<Definition>) => {
  const whole = definition(more)
  return variantMatrix(axesOf(whole), variantsOf(whole))
}

test('two varying axes make a grid with the longer axis as rows', () => {
  const matrix = matrixOf({ models: ['m1', 'm2', 'm3'], products: ['only'] })
  expect(matrix?.columns).toEqual(['a', 'b'])
  expect(matrix?.rows.map(({ id, cells }) => [id, ...cells.map(([cell]) => cell?.variantId)])).toEqual([
    ['m1', 'a~m1~only', 'b~m1~only'],
    ['m2', 'a~m2~only', 'b~m2~only'],
    ['m3', 'a~m3~only', 'b~m3~only'],
  ])
})

test('an excluded variant is an empty cell', () => {
  const matrix = matrixOf({ models: ['m1', 'm2'], variants: { exclude: [{ agent: 'b', model: 'm2' }] } })
  expect(matrix?.rows.map(({ cells }) => cells.map((cell) => cell.length > 0))).toEqual([
    [true, true],
    [true, false],
  ])
})

test('with three axes, the two longest make the grid, and each cell counts the variants of the third', () => {
  const exclude = [{ agent: 'b', model: 'm2', product: 'p1' }]
  const matrix = matrixOf({ models: ['m1', 'm2', 'm3'], products: ['p1', 'p2'], variants: { exclude } })
  expect(matrix?.isWhole).toBe(false)
  expect(matrix?.columns).toEqual(['a', 'b'])
  expect(matrix?.rows.map(({ id, cells }) => [id, ...cells.map((cell) => cell.length)])).toEqual([
    ['m1', 2, 2],
    ['m2', 2, 1],
    ['m3', 2, 2],
  ])
})

test('a single axis makes no grid', () => {
  expect(matrixOf({})).toBeNull()
})
