import { expect, test } from 'vitest'

import { readExperimentFilters } from './experiment-filters.ts'

const now = Date.parse('2026-11-20T15:42:10Z')
const read = (query: string) => readExperimentFilters(new URLSearchParams(query), now)

test('every filter is read from the URL, and lists from repeated parameters', () => {
  expect(read('search=+roman&owner=ada%40x&agent=a&agent=b&model=m&product=p&environment=e')).toEqual({
    search: 'roman',
    owner: 'ada@x',
    agent: ['a', 'b'],
    model: ['m'],
    product: ['p'],
    environment: ['e'],
    since: undefined,
    sort: undefined,
  })
})

test('a period starts at a full hour, so the query does not change while the page is open', () => {
  expect(read('since=7').since).toBe('2026-11-13T15:00:00.000Z')
  expect(read('since=soon').since).toBeUndefined()
})

test('the order of the URL names a column, which the platform knows by its field, and any other order is ignored', () => {
  expect([read('sort=-runs').sort, read('sort=name').sort, read('sort=luck').sort]).toEqual([
    '-runCount',
    'name',
    undefined,
  ])
})
