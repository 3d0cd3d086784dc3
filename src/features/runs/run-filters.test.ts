import { expect, test } from 'vitest'

import { isFiltered, readRunFilters, toRunQuery, withFilter, withoutFilters } from './run-filters.ts'

const read = (query: string) => readRunFilters(new URLSearchParams(query))

test('lists are repeated or comma-separated, statuses nobody has are ignored', () => {
  const filters = read('status=running,errored&status=weird&model=a&model=b&triggered_by=u1')
  expect(filters).toMatchObject({ status: ['running', 'errored'], model: ['a', 'b'], triggeredBy: ['u1'] })
})

test('only filters in use are asked for', () => {
  expect(toRunQuery(read(''))).toEqual({})
  expect(toRunQuery(read('experiment_id=e1&test_aware=true&version_scope=all&agent=x'))).toEqual({
    experimentId: 'e1',
    versionScope: 'all',
    agent: ['x'],
    testAware: true,
  })
  expect(toRunQuery(read('experiment_id=e1'), { experimentId: 'fixed' })).toEqual({ experimentId: 'fixed' })
})

test('a change keeps the rest of the URL', () => {
  const search = new URLSearchParams('tab=x&agent=a&status=running')
  const changed = withFilter(search, { agent: ['b', 'c'], since: '2026-11-01T00:00:00Z' })
  expect(changed.toString()).toBe('tab=x&status=running&agent=b&agent=c&since=2026-11-01T00%3A00%3A00Z')
  expect(withoutFilters(changed).toString()).toBe('tab=x')
})

test('reading what was written gives the same filters', () => {
  const filters = read('status=queued&agent=a&prompt=p&variant=a~b&run_request_id=r&test_aware=true')
  expect(readRunFilters(withFilter(new URLSearchParams(), filters))).toEqual(filters)
})

test('the status tab alone is no filter to clear', () => {
  expect([
    isFiltered(read('status=running')),
    isFiltered(read('agent=a')),
    isFiltered(read('test_aware=true')),
  ]).toEqual([false, true, true])
})
