import { expect, test } from 'vitest'

import { cycleStart } from './billing-cycles.ts'

const startsOf = (anniversary: string, count: number) =>
  Array.from({ length: count }, (_, ordinal) => new Date(cycleStart(Date.parse(anniversary), ordinal)).toISOString())

test('cycles start on the anniversary, at its time of day', () => {
  expect(startsOf('2026-11-15T08:30:00.250Z', 3)).toEqual([
    '2026-11-15T08:30:00.250Z',
    '2026-12-15T08:30:00.250Z',
    '2027-01-15T08:30:00.250Z',
  ])
})

test('an anniversary on the 31st moves to the last day of shorter months and returns to the 31st afterwards', () => {
  expect(startsOf('2026-12-31T23:59:59.999Z', 5).map((start) => start.slice(0, 10))).toEqual([
    '2026-12-31',
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
  ])
  expect(startsOf('2028-01-30T00:00:00.000Z', 2)[1]).toBe('2028-02-29T00:00:00.000Z')
})
