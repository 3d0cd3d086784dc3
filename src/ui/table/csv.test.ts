import { expect, test } from 'vitest'

import type { Column } from './column.ts'
import { toCsv } from './csv.ts'

type Row = { name: string; cost: number | null }

const columns: Column<Row>[] = [
  { id: 'name', header: 'Name', cell: (row) => row.name, value: (row) => row.name },
  { id: 'bar', header: 'Bar', cell: () => 'drawn' },
  { id: 'cost', header: 'Cost', cell: (row) => row.cost, value: (row) => row.cost },
]

const csvOf = (name: string, cost: number | null = null) => toCsv(columns, [{ name, cost }]).split('\r\n')[1]

test('columns without a value are omitted, and null is an empty cell', () => {
  expect(toCsv(columns, [{ name: 'a', cost: null }])).toBe('Name,Cost\r\na,')
})

test('quotes, commas and line breaks are quoted', () => {
  expect(csvOf('say "hi", you\nthere')).toBe('"say ""hi"", you\nthere",')
})

test.each(['=1+1', '+1', '-1+1', '-A1', '@SUM(A1)', '\t=1', '\r=1', '  =1', '|calc', '＝1'])(
  '%j cannot become a spreadsheet formula',
  (text) => {
    expect(csvOf(text)?.replace(/^"/, '')).toMatch(/^'/)
  },
)

test('a negative number stays a number', () => {
  expect(csvOf('a', -3)).toBe('a,-3')
  expect(csvOf('-9007199254740993')).toBe('-9007199254740993,')
  expect(csvOf('-0.10')).toBe('-0.10,')
})
