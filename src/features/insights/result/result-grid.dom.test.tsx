import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test, vi } from 'vitest'

import { LinkContext } from '#src/ui/LinkContext.ts'
import { ResultGrid } from './ResultGrid.tsx'

const table = {
  columns: [
    { name: 'agent', type: 'String' },
    { name: 'rate', type: 'Float64' },
  ],
  rows: Array.from({ length: 500 }, (_, place) => [`agent ${place}`, place / 3]),
  rowCount: 500,
  truncated: false,
}

/** Shows the grid 300 pixels high, since a document of the tests has no layout. */
async function showGrid() {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(300)
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  onTestFinished(() => {
    root.unmount()
    vi.restoreAllMocks()
  })
  root.render(
    <MantineProvider>
      <LinkContext value={{ Link: ({ children }) => <a href="/">{children}</a>, open: () => {} }}>
        <ResultGrid table={table} label="Rows" />
      </LinkContext>
    </MantineProvider>,
  )
  await expect.poll(() => cells().length).toBeGreaterThan(0)
}

const cells = () => Array.from(document.querySelectorAll<HTMLElement>('td[data-kind]'))
const chosen = () => document.querySelector<HTMLElement>('td[data-chosen]')
const press = (key: string, more: KeyboardEventInit) =>
  chosen()?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))

/** What Copy puts on the clipboard. */
function copy() {
  const copied: Record<string, string> = {}
  const clipboardData = { setData: (type: string, text: string) => void (copied[type] = text) }
  chosen()?.dispatchEvent(Object.assign(new Event('copy', { bubbles: true, cancelable: true }), { clipboardData }))
  return copied
}

test('Ctrl A and Copy in a result copy every row, also those that are not drawn, with exact values', async () => {
  await showGrid()
  expect(cells().length).toBeLessThan(100)
  cells()[0]?.focus()
  await expect.poll(chosen).not.toBeNull()
  expect(copy()).toEqual({ 'text/plain': 'agent 0' })
  press('ф', { code: 'KeyA', ctrlKey: true })
  await expect.poll(() => document.body.textContent).toContain('500 rows selected')
  const copied = copy()
  const lines = copied['text/plain']?.split('\n') ?? []
  expect([lines.length, lines[0], lines[2], lines[500]]).toEqual([
    501,
    'agent\trate',
    'agent 1\t0.3333333333333333',
    'agent 499\t166.33333333333334',
  ])
  expect(copied['text/html']).toContain('<td>agent 499</td><td>166.33333333333334</td>')
  press('ArrowDown', { code: 'ArrowDown' })
  await expect.poll(() => copy()['text/plain']).toBe('agent 1')
})
