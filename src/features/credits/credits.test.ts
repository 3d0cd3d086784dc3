import { expect, test } from 'vitest'

import { burnDownShape } from './burn-down-shape.ts'
import { latestMonths, readSpendView } from './spend-view.ts'

test('the burn-down steps down day by day over the whole cycle, and rests on the floor while credit is owed', () => {
  const points = [
    { at: '2026-11-02T00:00:00.000Z', balanceMicros: '20000000' },
    { at: '2026-11-03T00:00:00.000Z', balanceMicros: '5000000' },
    { at: '2026-11-04T00:00:00.000Z', balanceMicros: '-1000000' },
  ]
  const { top, line } = burnDownShape(points, { start: '2026-11-01T00:00:00Z', end: '2026-11-11T00:00:00Z' })
  expect([top, line]).toEqual([20, 'M0,0V0H10V75H20V100H30'])
})

test('the newest months are named by their UTC calendar, across the turn of the year', () => {
  expect(latestMonths(new Date('2027-01-31T23:00:00Z'), 3)).toEqual([
    { value: '2027-01', label: 'Begun in January 2027' },
    { value: '2026-12', label: 'Begun in December 2026' },
    { value: '2026-11', label: 'Begun in November 2026' },
  ])
})

test('who may not group by person sees experiments, whatever the address says', () => {
  const address = new URLSearchParams('by=user&period=previous')
  const one = (name: string) => address.get(name) ?? ''
  expect(readSpendView(one, { spendByUser: true })).toMatchObject({ groupBy: 'user', period: 'previous' })
  expect(readSpendView(one, { spendByUser: false }).groupBy).toBe('experiment')
})
