import { expect, test } from 'vitest'

import { burnDownShape } from './burn-down-shape.ts'
import { latestMonths, readSpendView } from './spend-view.ts'

test('the balance chart steps down each day of the cycle and goes below zero while credit is owed', () => {
  const points = [
    { at: '2026-11-02T00:00:00.000Z', balanceMicros: '20000000' },
    { at: '2026-11-03T00:00:00.000Z', balanceMicros: '5000000' },
    { at: '2026-11-04T00:00:00.000Z', balanceMicros: '-5000000' },
  ]
  const cycle = { start: '2026-11-01T00:00:00Z', end: '2026-11-11T00:00:00Z' }
  expect(burnDownShape(points, cycle)).toEqual({
    top: 20,
    bottom: -5,
    zero: 80,
    line: 'M0,0V0H10V60H20V100H30',
    area: 'M0,80V0V0H10V60H20V100H30V80Z',
  })
  expect(burnDownShape(points.slice(0, 2), cycle)).toMatchObject({ bottom: 0, zero: 100, line: 'M0,0V0H10V75H20' })
})

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
