import { expect, test } from 'vitest'

import type { ApiKey } from '#contract/api-keys.ts'
import { stateOf, whyNotRotate } from './key-state.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString()

const key: ApiKey = {
  id: '019a1f2c-8f60-7000-8000-0000000000c1',
  name: 'CI',
  kind: 'personal',
  role: 'member',
  owner: { id: 'a', name: 'Ada' },
  createdAt: inDays(-30),
  isCurrent: false,
  isDemo: false,
}

test.for([
  ['a key without expiry', {}, undefined],
  ['a key that expires next month', { expiresAt: inDays(30) }, undefined],
  ['a key that expires within a week', { expiresAt: inDays(6) }, 'Expires soon'],
  ['an expired key', { expiresAt: inDays(-1) }, 'Expired'],
  ['a rotated key that still works', { expiresAt: inDays(1), replacedBy: key.id }, 'Rotated'],
  ['a rotated key after its overlap', { expiresAt: inDays(-1), replacedBy: key.id }, 'Rotated, expired'],
  ['a key of a former member', { role: undefined }, 'No access'],
] as const)('%s has the right label', ([, fields, label]) => {
  expect(stateOf({ ...key, ...fields } as ApiKey, now)?.label).toBe(label)
})

test('a key that is of the demo, rotated or ended says why it cannot be rotated', () => {
  expect(whyNotRotate(key, now)).toBeNull()
  expect(whyNotRotate({ ...key, isDemo: true }, now)).toBe('The demo signs people in with this key')
  expect(whyNotRotate({ ...key, replacedBy: key.id }, now)).toBe('It has been rotated')
  expect(whyNotRotate({ ...key, expiresAt: inDays(-1) }, now)).toBe('It no longer works')
})
