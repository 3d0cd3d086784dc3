import { expect, test } from 'vitest'

import { identifyingColumns } from './identifying-columns.ts'

const column = (name: string) => ({ name, type: 'String' })
const none = { people: [], addresses: [], transcripts: [], records: [], isPersonHidden: false }
const found = (sql: string, names: string[], rows: unknown[][] = []) =>
  identifyingColumns(sql, { columns: names.map(column), rows })

test('a column that says who submitted runs is told by its name, also where nobody has yet', () => {
  expect(found('SELECT * FROM runs', ['id', 'triggered_by', 'agent'])).toEqual({
    ...none,
    people: ['triggered_by'],
    records: ['id'],
  })
  expect(found('SELECT "triggered_by" AS user_id FROM runs', ['user_id']).people).toEqual(['user_id'])
})

test('under another name it is told by what the statement reads, not by what it says', () => {
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

test('addresses are told by their values, in lists too', () => {
  expect(found('SELECT 1', ['a', 'b', 'c'], [['x', ['ada@demo.example'], 3], [null, [], 4]]).addresses).toEqual(['b']) // prettier-ignore
})

test('the words of transcripts are told; a column that is only called text is none', () => {
  expect(found('SELECT text FROM turns', ['text']).transcripts).toEqual(['text'])
  expect(found('SELECT agent AS text FROM runs', ['text'])).toEqual(none)
})

test('what names nobody is not warned of', () => {
  const sql = 'SELECT agent, model, avg(pass_rate) AS rate, count() AS runs FROM runs GROUP BY agent, model'
  expect(found(sql, ['agent', 'model', 'rate', 'runs'], [['a', 'm', 0.5, 3]])).toEqual(none)
})
