import { expect, test } from 'vitest'

import { takeTurn } from './figure-turns.ts'

test('three figures load at once, and each that ends lets the next one load, in order', () => {
  const started: number[] = []
  const ends = [1, 2, 3, 4, 5].map((figure) => takeTurn(() => started.push(figure)))
  expect(started).toEqual([1, 2, 3])
  ends[1]?.()
  expect(started).toEqual([1, 2, 3, 4])
  // Ending twice does not make room for a second one.
  ends[1]?.()
  expect(started).toEqual([1, 2, 3, 4])
  ends[0]?.()
  expect(started).toEqual([1, 2, 3, 4, 5])
  for (const end of ends) end()
})

test('a figure that left the page while it waited does not load, and takes no turn', () => {
  const started: number[] = []
  const ends = [1, 2, 3, 4, 5].map((figure) => takeTurn(() => started.push(figure)))
  ends[3]?.()
  ends[0]?.()
  expect(started).toEqual([1, 2, 3, 5])
  for (const end of ends) end()
})
