import { expect, test } from 'vitest'

import { paths } from '#src/paths.ts'
import { bounded } from './query-history.ts'
import { presentationQuery, readQueryState, requestOf } from './query-state.ts'

const read = (path: string) => {
  const { search, hash } = new URL(path, 'http://assay.invalid')
  return readQueryState({ search, hash })
}

test.each(["SELECT 'a+b' || '100%' AS \"x & y\" -- #1\nFROM runs", 'SELECT 1 = 1', 'SELECT \'日本\' + "ü"'])(
  'a pasted link contains the exact statement: %j',
  (sql) => {
    const state = read(paths.query({ experiment: 'e' }, sql))
    expect(state.sql).toBe(sql)
    expect(requestOf(state)).toEqual({
      target: { kind: 'experiment', experimentId: 'e' },
      statement: { sql },
      limit: 1000,
    })
  },
)

test('a query needs a scope: an experiment, a run or the organization', () => {
  expect(requestOf(read(paths.query({}, 'SELECT 1')))).toBeNull()
  expect(requestOf(read(paths.query({ experiment: 'e' })))).toBeNull()
  expect(requestOf(read(paths.query({ scope: 'organization' }, 'SELECT 1', { testAware: '1' })))).toEqual({
    target: { kind: 'organization' },
    statement: { sql: 'SELECT 1' },
    limit: 1000,
    includeTestAware: true,
  })
})

test('a query on one run has no option for test-aware runs and no builder', () => {
  const state = read(paths.query({ run: 'a::0f3a' }, 'SELECT 1', { testAware: '1', mode: 'modeled' }))
  expect(requestOf(state)).toEqual({
    target: { kind: 'run', runId: 'a::0f3a' },
    statement: { sql: 'SELECT 1' },
    limit: 1000,
  })
})

test('a builder query is fully described by its URL, and unknown values are dropped', () => {
  const query = { mode: 'modeled', metric: ['cost', 'nonsense'], by: ['agent', 'agent'], model: ['m', ''], limit: '77' }
  const state = read(`${paths.query({ experiment: 'e' }, '', query)}&model=`)
  expect(requestOf(state)).toMatchObject({
    statement: { metrics: ['cost'], groupBy: ['agent'], models: ['m', ''] },
    limit: 1000,
  })
})

test('the URL contains the chart settings', () => {
  const presentation = { kind: 'bar', x: 'agent', y: ['a', 'b'], series: 'model' } as const
  const query = presentationQuery({ ...presentation, y: [...presentation.y] })
  expect(read(paths.query({ experiment: 'e' }, '', query)).presentation).toEqual(presentation)
  expect(read(paths.query({ experiment: 'e' }, '', { chart: 'pie' })).presentation).toBeUndefined()
})

test('the history keeps the latest fifty statements within the storage limit of the browser', () => {
  const entry = (sql: string) => ({ experiment: 'e', sql, at: '2026-11-20T00:00:00Z' })
  expect(bounded(Array.from({ length: 80 }, (_, place) => entry(`SELECT ${place}`)))).toHaveLength(50)
  expect(bounded(Array.from({ length: 30 }, () => entry('x'.repeat(20_000))))).toHaveLength(10)
})
