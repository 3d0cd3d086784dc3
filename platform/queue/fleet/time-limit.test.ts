import { expect, test } from 'vitest'

import { refuseShortLimit, secondsOfTimeLimit } from './time-limit.ts'

test.for([
  ['90', 5400],
  ['90:30', 5430],
  ['8:00:00', 28_800],
  ['2-12', 216_000],
  ['2-12:30', 217_800],
  ['1-00:00:05', 86_405],
  ['UNLIMITED', null],
] as const)('the time limit %s is %s seconds', ([text, seconds]) => {
  expect(secondsOfTimeLimit(text)).toBe(seconds)
})

test('a time limit that Slurm does not know is refused', () => {
  expect(() => secondsOfTimeLimit('8h')).toThrow('--time 8h is not a time limit of Slurm')
})

test('a time limit that leaves no time to work is refused', () => {
  expect(() => refuseShortLimit('5', 300)).toThrow('Use a longer --time or fewer --drain-seconds')
  expect(() => refuseShortLimit('8:00', 300)).not.toThrow()
  expect(() => refuseShortLimit('infinite', 300)).not.toThrow()
})
