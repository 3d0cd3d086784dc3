import { afterEach, expect, test, vi } from 'vitest'

import { readAuditFilters } from './audit-filters.ts'

afterEach(() => vi.unstubAllEnvs())

const urlOf = (query: string) => {
  const params = new URLSearchParams(query)
  return { one: (name: string) => params.get(name) ?? '', all: (name: string) => params.getAll(name) }
}

test('a URL without parameters has no filters', () => {
  expect(Object.values(readAuditFilters(urlOf(''))).filter((value) => value !== undefined)).toEqual([])
})

test('a range of days includes its last day, in the time zone of the reader', () => {
  const { since, until } = readAuditFilters(urlOf('from=2026-11-20&to=2026-11-21'))
  expect(since).toBe(new Date('2026-11-20T00:00:00').toISOString())
  expect(until).toBe(new Date('2026-11-22T00:00:00').toISOString())
})

test('a range of days includes every hour of the day on which the clock changes', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  expect(readAuditFilters(urlOf('to=2026-10-25')).until).toBe('2026-10-25T23:00:00.000Z')
  expect(readAuditFilters(urlOf('to=2026-03-29')).until).toBe('2026-03-29T22:00:00.000Z')
})

test('invalid filters in a link are ignored', () => {
  const { event, outcome, since } = readAuditFilters(urlOf('event=key.create&event=nothing&outcome=x&from=soon'))
  expect([event, outcome, since]).toEqual([['key.create'], undefined, undefined])
})
