import { expect, test } from 'vitest'

import { latestMonths, readSpendView } from './spend-view.ts'

test('recent months follow the UTC calendar, even across a year’s end', () => {
  expect(latestMonths(new Date('2027-01-31T23:00:00Z'), 3)).toEqual([
    { value: '2027-01', label: 'January 2027 cycle' },
    { value: '2026-12', label: 'December 2026 cycle' },
    { value: '2026-11', label: 'November 2026 cycle' },
  ])
})

test('a person who may not group by person sees experiments, whatever the URL says', () => {
  const address = new URLSearchParams('by=user&period=previous')
  const one = (name: string) => address.get(name) ?? ''
  expect(readSpendView(one, { spendByUser: true })).toMatchObject({ groupBy: 'user', period: 'previous' })
  expect(readSpendView(one, { spendByUser: false }).groupBy).toBe('experiment')
})
