import { expect, test } from 'vitest'

import { describeExpiry, toExpiresAt } from './expiry.ts'

const now = Date.parse('2026-11-22T12:00:00Z')

test('a lifetime in days counts from now, and none means no expiry', () => {
  expect(toExpiresAt({ lifetime: '30', date: '' }, now)).toBe('2026-12-22T12:00:00.000Z')
  expect(toExpiresAt({ lifetime: 'never', date: '' }, now)).toBeUndefined()
})

test('a chosen day is the last day on which the key works, for the person who chose it', () => {
  const expiresAt = toExpiresAt({ lifetime: 'date', date: '2027-01-31' }, now) ?? ''
  const local = new Date(expiresAt)
  expect([local.getFullYear(), local.getMonth(), local.getDate(), local.getHours()]).toEqual([2027, 0, 31, 23])
})

test('an empty date gives an expiry that the API refuses', () => {
  expect(toExpiresAt({ lifetime: 'date', date: '' }, now)).toBe('')
  expect(describeExpiry({ lifetime: 'date', date: '' }, now)).toBe('Choose the last day.')
  expect(describeExpiry({ lifetime: '90', date: '' }, now)).toBe('It expires on 20 Feb 2027.')
})
