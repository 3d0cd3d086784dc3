import { expect, test } from 'vitest'

import { placeInQueue } from './place-in-queue.ts'

const runs = Array.from({ length: 500 }, (_, index) => ({ id: `run ${index}` }))

test('the next page is loaded before the reader comes to the end, and until the asked run is found', () => {
  expect(placeInQueue(runs, '', true)).toEqual({ place: 0, needsMore: false })
  expect(placeInQueue(runs, 'run 479', true)).toEqual({ place: 479, needsMore: false })
  expect(placeInQueue(runs, 'run 480', true)).toEqual({ place: 480, needsMore: true })
  expect(placeInQueue(runs, 'run 499', false)).toEqual({ place: 499, needsMore: false })
  expect(placeInQueue(runs, 'run 700', true)).toEqual({ place: null, needsMore: true })
  expect(placeInQueue(runs, 'run 700', false)).toEqual({ place: 0, needsMore: false })
})
