import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test, vi } from 'vitest'

import { QueryHeatmap } from './QueryHeatmap.tsx'

/** A document of the tests has no layout. */
class WideObserver {
  private readonly onSize: ResizeObserverCallback
  constructor(onSize: ResizeObserverCallback) {
    this.onSize = onSize
  }
  observe() {
    this.onSize([{ contentRect: new DOMRect(0, 0, 600, 200) } as ResizeObserverEntry], this as never)
  }
  unobserve() {}
  disconnect() {}
}

const cell = (column: number, row: number, words: string, resultRow: number) => ({
  column,
  row,
  words,
  resultRow,
  step: 1,
  exact: '1',
  short: '1',
})

test('arrow keys read the cells of a heatmap of a query, and Enter opens the row of a cell', async () => {
  vi.stubGlobal('ResizeObserver', WideObserver)
  const onRow = vi.fn()
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  onTestFinished(() => {
    root.unmount()
    vi.unstubAllGlobals()
  })
  const cells = [cell(0, 0, 'a, x: 1', 7), cell(1, 1, 'b, y: 4', 9)]
  root.render(<QueryHeatmap name="Rates" columns={['x', 'y']} rows={['a', 'b']} cells={cells} onRow={onRow} />)
  const chart = () => document.querySelector<SVGElement>('[role="application"][aria-label="Rates"]')
  const read = () => document.querySelector('[aria-live]')?.textContent
  const press = (key: string) => chart()?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  await expect.poll(() => chart()?.getAttribute('tabindex')).toBe('0')
  press('ArrowRight')
  await expect.poll(read).toBe('a, x: 1')
  press('ArrowRight')
  await expect.poll(read).toBe('a, y: no value')
  press('Enter')
  expect(onRow).not.toHaveBeenCalled()
  press('ArrowDown')
  await expect.poll(read).toBe('b, y: 4')
  press('Enter')
  expect(onRow.mock.calls).toEqual([[9]])
})
