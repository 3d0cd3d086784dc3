import { expect, test } from 'vitest'

import { identifyingColumns } from './identifying-columns.ts'

const column = (name: string) => ({ name, type: 'String' })
const none = { people: [], addresses: [], transcripts: [], records: [], isPersonHidden: false }
const found = (sql: string, names: string[], rows: unknown[][] = []) =>
  identifyingColumns(sql, { columns: names.map(column), rows })

test('a column that identifies submitters is detected by its name, even without rows', () => {
  expect(found('SELECT * FROM runs', ['id', 'triggered_by', 'agent'])).toEqual({
    ...none,
    people: ['triggered_by'],
    records: ['id'],
  })
  expect(found('SELECT "triggered_by" AS user_id FROM runs', ['user_id']).people).toEqual(['user_id'])
})

test('a renamed column is detected by what the statement reads, ignoring strings and comments', () => {
  expect(found('SELECT triggered_by AS x FROM runs', ['x']).isPersonHidden).toBe(true)
  expect(found('SELECT `triggered_by` AS x FROM runs', ['x']).isPersonHidden).toBe(true)
  for (const sql of [
    "SELECT 'triggered_by' AS x",
    'SELECT 1 AS x -- triggered_by',
    "SELECT 'it\\'s triggered_by' AS x",
    'SELECT /* triggered_by */ 1 AS x',
  ])
    expect(found(sql, ['x'])).toEqual(none)
})

test('email addresses are detected by value, also inside lists', () => {
  expect(found('SELECT 1', ['a', 'b', 'c'], [['x', ['ada@demo.example'], 3], [null, [], 4]]).addresses).toEqual(['b']) // prettier-ignore
})

test('transcript text is detected; another column named text is not', () => {
  expect(found('SELECT text FROM turns', ['text']).transcripts).toEqual(['text'])
  expect(found('SELECT text FROM outputs', ['text']).transcripts).toEqual(['text'])
  expect(found('SELECT example FROM failures', ['example']).transcripts).toEqual(['example'])
  expect(found('SELECT agent AS text FROM runs', ['text'])).toEqual(none)
})

test('columns that identify nobody raise no warning', () => {
  const sql = 'SELECT agent, model, avg(pass_rate) AS rate, count() AS runs FROM runs GROUP BY agent, model'
  expect(found(sql, ['agent', 'model', 'rate', 'runs'], [['a', 'm', 0.5, 3]])).toEqual(none)
})
