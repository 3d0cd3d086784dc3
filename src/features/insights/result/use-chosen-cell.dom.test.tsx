import { useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'

import { gridColumns } from './result-columns.ts'
import { useChosenCell } from './use-chosen-cell.ts'

const table = {
  columns: [
    { name: 'agent', type: 'String' },
    { name: 'rate', type: 'Float64' },
  ],
  rows: Array.from({ length: 500 }, (_, place) => [`agent ${place}`, place / 3]),
}

const columns = gridColumns(table)
const drawn = 3

/** The first rows of a result, as a grid draws only those that are visible. */
function FirstRows() {
  const scroller = useRef<HTMLTableElement>(null)
  const { chosen, choose, onCopy, onKeyDown } = useChosenCell(scroller, table.rows, columns)
  return (
    <table ref={scroller}>
      <tbody>
        {table.rows.slice(0, drawn).map((row, index) => (
          <tr key={String(row[0])}>
            {columns.map(({ id, kind }, place) => (
              <td
                key={id}
                aria-label={id}
                tabIndex={-1}
                data-kind={kind}
                data-chosen={(chosen?.row === index && chosen.place === place) || undefined}
                data-all={chosen?.isAll}
                onFocus={() => choose(index, place)}
                onCopy={onCopy}
                onKeyDown={onKeyDown}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

async function showRows() {
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  onTestFinished(() => root.unmount())
  root.render(<FirstRows />)
  await expect.poll(() => cells().length).toBe(drawn * columns.length)
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
  await showRows()
  cells()[0]?.focus()
  await expect.poll(chosen).not.toBeNull()
  expect(copy()).toEqual({ 'text/plain': 'agent 0' })
  press('ф', { code: 'KeyA', ctrlKey: true })
  await expect.poll(() => document.querySelector('td[data-all]')).not.toBeNull()
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
