import { expect, test } from 'vitest'

import { analyticsTables } from '#contract/sql-tables.ts'
import { placeInSql } from './sql-names.ts'

/** `|` is the cursor. */
const place = (marked: string) => placeInSql(marked.replace('|', ''), marked.indexOf('|'))
const columnsAt = (marked: string) => {
  const found = place(marked)
  return found.kind === 'column' ? found.columns.map(({ name }) => name) : []
}

test('tables are suggested after FROM and JOIN', () => {
  expect(place('SELECT 1 FROM |')).toEqual({ kind: 'table', from: 14 })
  expect(place('SELECT 1 FROM runs JOIN te|')).toEqual({ kind: 'table', from: 24 })
})

test('columns are suggested from the tables of the statement, wherever it names them', () => {
  expect(columnsAt('SELECT | FROM turns')).toEqual(expect.arrayContaining(['seq', 'text']))
  expect(columnsAt('SELECT | FROM turns')).not.toContain('pass_rate')
  for (const { name, columns } of analyticsTables)
    expect(columnsAt(`SELECT | FROM ${name} AS x`)).toEqual(columns.map((column) => column.name))
  expect(columnsAt('SELECT |')).toEqual(expect.arrayContaining(['seq', 'pass_rate', 'outcome']))
  const both = columnsAt('SELECT | FROM runs JOIN tests USING (run_id)')
  expect(both).toEqual(expect.arrayContaining(['pass_rate', 'outcome']))
  expect(new Set(both).size).toBe(both.length)
})

test('columns after a dot come from the table or alias before it', () => {
  expect(columnsAt('SELECT t.| FROM runs AS r JOIN tests t USING (run_id)')).toContain('outcome')
  expect(columnsAt('SELECT t.| FROM runs AS r JOIN tests t USING (run_id)')).not.toContain('pass_rate')
  expect(columnsAt('SELECT r.pa| FROM runs AS r')).toContain('pass_rate')
  expect(columnsAt('SELECT where.| FROM runs WHERE x')).toEqual([])
  expect(place('SELECT r.pa| FROM runs AS r')).toMatchObject({ from: 9, isQualified: true })
})
