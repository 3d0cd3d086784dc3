import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { type ResultColumn, matchingRows, toColumns } from './result-columns.ts'
import { ResultsTable } from './ResultsTable.tsx'

type Row = { name: string; runs: number; verdict: string }

const rows: Row[] = Array.from({ length: 11 }, (_, place) => ({
  name: `task ${place}`,
  runs: place,
  verdict: place === 3 ? 'Inconclusive' : 'significant',
}))
const name = { header: 'Task', text: (row: Row) => row.name }
const columns: ResultColumn<Row>[] = [
  { header: 'Runs', text: ({ runs }) => `${runs} runs`, value: ({ runs }) => runs },
  { header: 'Verdict', text: ({ verdict }) => verdict, align: 'left' },
]
const markup = (shown: readonly Row[]) =>
  renderToStaticMarkup(
    <MantineProvider>
      <ResultsTable label="Tasks" rows={shown} rowId={(row) => row.name} name={name} columns={columns} />
    </MantineProvider>,
  )

test('a table of results is a region that the keyboard can scroll, and every column can be sorted', () => {
  const table = markup(rows)
  expect(table).toMatch(/<section[^>]* aria-label="Tasks, scrollable" tabindex="0">/)
  expect(table.match(/<th [^>]*scope="col"[^>]*><button/g)).toHaveLength(3)
})

test('a table of more than ten rows can be filtered', () => {
  expect(markup(rows)).toContain('aria-label="Filter Tasks"')
  expect(markup(rows.slice(1))).not.toContain('Filter Tasks')
})

test('the filter finds text in any column, in any case, and ignores numbers', () => {
  const found = (search: string) => matchingRows(rows, toColumns(name, columns), search).map((row) => row.runs)
  expect(found(' INCONC ')).toEqual([3])
  expect(found('task 1')).toEqual([1, 10])
  expect(found('5 runs')).toEqual([])
  expect(found('  ')).toHaveLength(11)
})
