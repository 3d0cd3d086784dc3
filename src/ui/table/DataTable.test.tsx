import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import type { Column } from './column.ts'
import { DataTable } from './DataTable.tsx'

type Row = { name: string; size: number }

const columns: Column<Row>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name, sort: 'name' },
  { id: 'size', header: 'Size', value: ({ size }) => size },
]
const rows: Row[] = [
  { name: 'b', size: 1 },
  { name: 'a', size: 2 },
]
const more = { pending: false, onMore: () => {}, readAll: () => Promise.resolve(rows) }

/** The headers that sort the table, and the names in the order of the rows. */
function show(props: Partial<Parameters<typeof DataTable<Row>>[0]>) {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <DataTable
        label="things"
        columns={columns}
        rows={rows}
        rowId={({ name }) => name}
        error={null}
        onRetry={() => {}}
        empty={{ title: 'None' }}
        {...props}
      />
    </MantineProvider>,
  )
  const sorting = [...markup.matchAll(/<th[^>]*><button[^>]*>(\w+)/g)].map(([, header]) => header)
  return { sorting, names: [...markup.matchAll(/<td[^>]*>([a-d])<\/td>/g)].map(([, name]) => name) }
}

test('a list with every row sorts by any column', () => {
  expect(show({ sort: 'name' })).toEqual({ sorting: ['Name', 'Size'], names: ['a', 'b'] })
})

test('a value that is no number is last in both directions', () => {
  const odd = [2, Number.NaN, 1].map((size, index) => ({ name: 'abc'.charAt(index), size }))
  const named = columns.map((column) => ({ ...column, cell: ({ name }: Row) => (column.id === 'name' ? name : '') }))
  expect(show({ columns: named, rows: odd, sort: 'size' }).names).toEqual(['c', 'a', 'b'])
  expect(show({ columns: named, rows: odd, sort: '-size' }).names).toEqual(['a', 'c', 'b'])
})

test('a list with further pages sorts nothing by itself: what is loaded is not the start of that order', () => {
  expect(show({ sort: 'size', more })).toEqual({ sorting: ['Name'], names: ['b', 'a'] })
  expect(show({ sort: '-name', more, isSorted: true })).toEqual({ sorting: ['Name'], names: ['b', 'a'] })
})
