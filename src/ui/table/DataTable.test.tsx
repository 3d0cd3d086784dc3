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
  return { sorting, names: [...markup.matchAll(/<td[^>]*>([ab])<\/td>/g)].map(([, name]) => name) }
}

test('a list with every row sorts by any column', () => {
  expect(show({ sort: 'name' })).toEqual({ sorting: ['Name', 'Size'], names: ['a', 'b'] })
})

test('a list with further pages sorts nothing by itself: what is loaded is not the start of that order', () => {
  expect(show({ sort: 'size', more })).toEqual({ sorting: ['Name'], names: ['b', 'a'] })
  expect(show({ sort: '-name', more, isSorted: true })).toEqual({ sorting: ['Name'], names: ['b', 'a'] })
})
