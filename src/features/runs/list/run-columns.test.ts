import { expect, test } from 'vitest'

import { runSortFields } from '#contract/run-list.ts'
import { runColumns, toRunSort } from './run-columns.tsx'

test('every column of runs is sorted by the platform, by a field of its own', () => {
  const fields = runColumns.map(({ sort }) => sort)
  expect(fields.toSorted()).toEqual([...runSortFields].toSorted())
})

test('a sort in the URL names a column; an unknown one is the default order', () => {
  expect(['time', '-time', '-submitted', '', 'wallSeconds', '-'].map(toRunSort)).toEqual([
    'wallSeconds',
    '-wallSeconds',
    '-createdAt',
    undefined,
    undefined,
    undefined,
  ])
  expect(['score:speed', '-score:speed', 'score:'].map(toRunSort)).toEqual(['score:speed', '-score:speed', undefined])
})
