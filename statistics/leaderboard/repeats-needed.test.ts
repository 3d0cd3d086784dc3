import { expect, test } from 'vitest'

import { couldRepeats, sameResultRepeats } from './repeats-needed.ts'

const groupOf = (...solved: (readonly [solved: number, runs: number])[]) =>
  new Map(solved.map(([count, runs], place) => [`prompt ${place}`, { runs, solved: count }]))

test('one prompt needs four runs of each group, and two prompts need three', () => {
  expect(couldRepeats(groupOf([1, 1]), groupOf([0, 1]))).toBe(4)
  expect(couldRepeats(groupOf([1, 1], [1, 1]), groupOf([0, 1], [0, 1]))).toBe(3)
  expect(couldRepeats(groupOf(), groupOf([0, 1]))).toBeNull()
})

test('runs that never differ need a known number of repeats, fewer than with more than two groups', () => {
  const [all, none] = [groupOf([3, 3]), groupOf([0, 3])]
  expect(sameResultRepeats(all, none, 1)).toBe(4)
  expect(sameResultRepeats(all, none, 2)).toBeGreaterThan(4)
})

test('how many runs it takes is not known if runs of a prompt differ or the groups are the same', () => {
  expect(sameResultRepeats(groupOf([2, 3]), groupOf([0, 3]), 1)).toBeNull()
  expect(sameResultRepeats(groupOf([3, 3]), groupOf([3, 3]), 1)).toBeNull()
})
