import { expect, test } from 'vitest'

import { changeQuery } from '#src/url/use-query-state.ts'
import { clearedFilters, countFilters, isFiltered, readRunFilters, toQueryChanges, toRunQuery } from './run-filters.ts'

const read = (query: string) => readRunFilters(new URLSearchParams(query))

test('lists may be repeated or separated by commas, and unknown statuses are ignored', () => {
  const filters = read('status=running,errored&status=weird&model=a&model=b&triggered_by=u1')
  expect(filters).toMatchObject({ status: ['running', 'errored'], model: ['a', 'b'], triggeredBy: ['u1'] })
})

test('only active filters are sent', () => {
  expect(toRunQuery(read(''))).toEqual({})
  expect(toRunQuery(read('experiment_id=e1&test_aware=true&version_scope=all&agent=x'))).toEqual({
    experimentId: 'e1',
    versionScope: 'all',
    agent: ['x'],
    testAware: true,
  })
  expect(toRunQuery(read('experiment_id=e1'), { experimentId: 'fixed' })).toEqual({ experimentId: 'fixed' })
})

test('a filter change keeps the rest of the URL', () => {
  const search = new URLSearchParams('tab=x&agent=a&status=running')
  const changes = toQueryChanges({ agent: ['b', 'c'], since: '2026-11-01T00:00:00Z', testAware: true })
  const changed = changeQuery(search, changes)
  expect(changed.toString()).toBe('tab=x&status=running&agent=b&agent=c&since=2026-11-01T00%3A00%3A00Z&test_aware=true')
  expect(changeQuery(changed, clearedFilters).toString()).toBe('tab=x&status=running')
})

test('filters written to a URL are read back unchanged', () => {
  const filters = read(
    'status=queued&agent=a&prompt=p&variant=a~b&run_request_id=r&test_aware=true&timed_out=true&agent_mode=plan&without_test_aware=true',
  )
  expect(readRunFilters(changeQuery(new URLSearchParams(), toQueryChanges(filters)))).toEqual(filters)
})

test('unknown results and exit codes are ignored, known ones and the search become filters', () => {
  const filters = read('result=solved,won&exit_code=nonzero,1,x&search=out%20of%20memory')
  expect(toRunQuery(filters)).toEqual({ result: ['solved'], exitCode: ['nonzero', '1'], search: 'out of memory' })
  expect(readRunFilters(changeQuery(new URLSearchParams(), toQueryChanges(filters)))).toEqual(filters)
})

test('the status tab alone does not count as a filter', () => {
  expect([
    isFiltered(read('status=running')),
    isFiltered(read('agent=a')),
    isFiltered(read('plan_limited=true')),
  ]).toEqual([false, true, true])
})

test('limits of a score are numbers, count with their score as one filter, and mean nothing without it', () => {
  const filters = read('score=speed&score_at_least=0&score_below=1.5')
  expect(toRunQuery(filters)).toEqual({ score: 'speed', scoreAtLeast: 0, scoreBelow: 1.5 })
  expect(countFilters(filters)).toBe(1)
  const changes = toQueryChanges({ ...filters, scoreAtLeast: undefined })
  expect(changeQuery(new URLSearchParams('score_at_least=0'), changes).toString()).toBe('score=speed&score_below=1.5')
  expect(toRunQuery(read('score=speed&score_below=x'))).toEqual({ score: 'speed' })
  expect(toRunQuery(read('score_at_least=0.5'))).toEqual({})
})
