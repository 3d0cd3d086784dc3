import { expect, test } from 'vitest'

import { placeAfter } from './palette-entry.ts'

test('an arrow key at an end of the list selects the other end', () => {
  expect([placeAfter(2, 1, 3), placeAfter(0, -1, 3), placeAfter(0, 1, 3)]).toEqual([0, 2, 1])
})

test('an arrow key that is pressed before there are results leaves the first one selected', () => {
  expect([placeAfter(-1, 1, 0), placeAfter(-1, -1, 0)]).toEqual([0, 0])
})
