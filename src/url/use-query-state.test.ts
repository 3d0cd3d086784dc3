import { expect, test } from 'vitest'

import { changeQuery } from './use-query-state.ts'

const change = (from: string, changes: Parameters<typeof changeQuery>[1]) =>
  changeQuery(new URLSearchParams(from), changes).toString()

test('a list is written as repeated parameters, and other parameters stay', () => {
  expect(change('search=x&agent=a', { agent: ['b', 'c'] })).toBe('search=x&agent=b&agent=c')
})

test('an empty value is removed from the URL', () => {
  expect(change('search=x&agent=a', { search: '', agent: null })).toBe('')
})
