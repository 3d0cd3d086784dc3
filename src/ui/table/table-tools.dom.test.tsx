import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'

import { ResultBar } from '#src/ui/ResultBar.tsx'
import { Section } from '#src/ui/Section.tsx'
import { DataTable } from './DataTable.tsx'
import { WithTableTools } from '#src/ui/ToolsPlace.tsx'

function draw(page: ReactNode) {
  const root = createRoot(document.body.appendChild(document.createElement('main')))
  onTestFinished(() => {
    root.unmount()
    document.querySelector('main')?.remove()
  })
  flushSync(() => root.render(<MantineProvider>{page}</MantineProvider>))
  return [...document.querySelectorAll('button[aria-label^="Columns and export"]')]
}

const table = (
  <DataTable<{ name: string }>
    label="things"
    columns={[{ id: 'name', header: 'Name', value: ({ name }) => name }]}
    rows={[{ name: 'a' }]}
    rowId={({ name }) => name}
    error={null}
    onRetry={() => {}}
    empty={{ title: 'None' }}
  />
)

test('the tools of a table are beside the title of its section, not on a line of their own', () => {
  const [tools, ...others] = draw(<Section title="Budgets">{table}</Section>)
  expect(others).toEqual([])
  expect(tools?.closest('div')?.querySelector('h2')?.textContent).toBe('Budgets')
})

test('the tools of a table of results are in the bar of its view, and without one beside the table', () => {
  const inView = draw(
    <WithTableTools>
      <ResultBar extent="2 groups">{null}</ResultBar>
      {table}
    </WithTableTools>,
  )
  expect(inView.map((button) => button.closest('div')?.textContent)).toEqual([expect.stringContaining('2 groups')])
  const alone = draw(table)
  expect(alone.at(-1)?.closest('section')?.getAttribute('aria-label')).toBe('things')
})
