import { expect, test } from 'vitest'

import { readAuditFilters } from './audit-filters.ts'

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

test('invalid filters in a link are ignored', () => {
  const { event, outcome, since } = readAuditFilters(urlOf('event=key.create&event=nothing&outcome=x&from=soon'))
  expect([event, outcome, since]).toEqual([['key.create'], undefined, undefined])
})
