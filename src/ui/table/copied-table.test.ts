import { expect, test } from 'vitest'

import type { Column } from './column.ts'
import { copiedTable } from './copied-table.ts'

type Row = { name: string; cost: number | null }

const columns: Column<Row>[] = [
  { id: 'name', header: 'Name', cell: (row) => row.name, value: (row) => row.name },
  { id: 'bar', header: 'Bar', cell: () => 'drawn' },
  { id: 'cost', header: 'Cost', cell: (row) => row.cost, value: (row) => row.cost },
]

test('a copied table has a line for each row with exact values between tabs, and the same cells as HTML', () => {
  const rows = [
    { name: 'a, b', cost: 0.123456789 },
    { name: 'c', cost: null },
  ]
  expect(copiedTable(columns, rows)).toEqual({
    text: 'Name\tCost\na, b\t0.123456789\nc\t',
    html:
      '<table><thead><tr><th>Name</th><th>Cost</th></tr></thead><tbody>' +
      '<tr><td>a, b</td><td>0.123456789</td></tr><tr><td>c</td><td></td></tr></tbody></table>',
  })
})

test('tabs, quotes and line breaks stay in their cell', () => {
  const { text, html } = copiedTable(columns, [{ name: 'a\t"b"\nc', cost: -1 }])
  expect(text).toBe('Name\tCost\n"a\t""b""\nc"\t-1')
  expect(html).toContain('<td>a\t&quot;b&quot;<br>c</td><td>-1</td>')
})

test('a cell can be neither a formula of a spreadsheet nor markup of a document', () => {
  const { text, html } = copiedTable(columns, [{ name: '=1+<img src=x>', cost: null }])
  expect(text).toContain("\n'=1+<img src=x>\t")
  expect(html).toContain("<td>'=1+&lt;img src=x&gt;</td>")
})
