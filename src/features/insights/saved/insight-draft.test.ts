import { expect, test } from 'vitest'

import { changeOf } from './insight-draft.ts'

const saved = { heading: 'Mean', description: '', labels: ['a', 'b'], sql: 'SELECT 1', includeTestAware: false }

test('a draft contains only the fields that differ from the saved insight', () => {
  expect(changeOf(saved, { ...saved, labels: ['a', 'b'] })).toEqual({})
  expect(changeOf(saved, { ...saved, description: 'D', labels: ['b'] })).toEqual({ description: 'D', labels: ['b'] })
  expect(changeOf(saved, { ...saved, heading: '', sql: 'SELECT 2', includeTestAware: true })).toEqual({
    heading: '',
    sql: 'SELECT 2',
    includeTestAware: true,
  })
})
