import { expect, test } from 'vitest'

import { placeInQueue } from './place-in-queue.ts'

const runs = Array.from({ length: 500 }, (_, index) => ({ id: `run ${index}` }))

test('the next page is loaded before the reader comes to the end, and until the asked run is found', () => {
  const isMissing = false
  expect(placeInQueue(runs, '', true)).toEqual({ place: 0, isMissing, needsMore: false })
  expect(placeInQueue(runs, 'run 479', true)).toEqual({ place: 479, isMissing, needsMore: false })
  expect(placeInQueue(runs, 'run 480', true)).toEqual({ place: 480, isMissing, needsMore: true })
  expect(placeInQueue(runs, 'run 499', false)).toEqual({ place: 499, isMissing, needsMore: false })
  expect(placeInQueue(runs, 'run 700', true)).toEqual({ place: null, isMissing, needsMore: true })
  expect(placeInQueue(runs, 'run 700', false)).toEqual({ place: 0, isMissing: true, needsMore: false })
})

test('a run that is not among the first 2,000 is not looked for to the end of the list', () => {
  const many = Array.from({ length: 2000 }, (_, index) => ({ id: `run ${index}` }))
  expect(placeInQueue(many, 'removed', true)).toEqual({ place: 0, isMissing: true, needsMore: false })
  expect(placeInQueue(many, 'run 1999', true)).toEqual({ place: 1999, isMissing: false, needsMore: true })
})
