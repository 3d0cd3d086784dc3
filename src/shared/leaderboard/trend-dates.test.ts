import { expect, test } from 'vitest'

import { fillDates, unitOfSpan } from './trend-dates.ts'

test('runs of two months are shown by day, those of a longer time by week, and pauses keep their width', () => {
  expect(unitOfSpan(['2026-11-01', '2026-09-10'])).toBe('day')
  expect(unitOfSpan(['2026-11-01', '2026-08-01'])).toBe('week')
  expect(fillDates(['2026-11-02', '2026-10-30'], 'day')).toEqual([
    '2026-10-30',
    '2026-10-31',
    '2026-11-01',
    '2026-11-02',
  ])
  expect(fillDates(['2026-11-02', '2026-11-23'], 'week')).toEqual([
    '2026-11-02',
    '2026-11-09',
    '2026-11-16',
    '2026-11-23',
  ])
  expect(fillDates([], 'day')).toEqual([])
})
