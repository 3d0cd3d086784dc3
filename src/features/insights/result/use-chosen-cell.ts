import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react'

import { copiedTable } from '#src/ui/table/copied-table.ts'
import { keyName } from '#src/ui/shortcuts/match-keys.ts'
import { exactValue, type GridColumn, type Row } from './result-columns.ts'

type Chosen = { rows: readonly Row[]; row: number; place: number; isAll?: boolean }

const steps: Record<string, readonly [down: number, across: number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
}

/**
 * The cell that is shown in full and can be copied, selected by click or arrow keys; Ctrl A selects all rows, also those
 * that are not rendered. Sorting clears the selection.
 */
export function useChosenCell(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  columns: readonly GridColumn[],
) {
  const [kept, setKept] = useState<Chosen | null>(null)
  const chosen = kept?.rows === rows ? kept : null
  // Moves the focus, which also scrolls.
  useEffect(() => {
    if (chosen) scroller.current?.querySelector<HTMLElement>('td[data-chosen]')?.focus()
  }, [scroller, chosen])
  const choose = (row: number, place: number) => {
    if (row >= 0 && row < rows.length && place >= 0 && place < columns.length) setKept({ rows, row, place })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!chosen || event.target !== event.currentTarget) return
    const step = steps[event.key]
    if (keyName(event.nativeEvent) === 'mod+a') {
      event.preventDefault()
      window.getSelection()?.removeAllRanges()
      setKept({ ...chosen, isAll: true })
    } else if (event.key === 'Escape') setKept(null)
    else if (event.key === 'Enter') event.currentTarget.querySelector('a')?.click()
    else if (step && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      choose(chosen.row + step[0], chosen.place + step[1])
    }
  }
  const onCopy = (event: ClipboardEvent) => {
    // With selected text, Copy copies the selection.
    if (!chosen || !(window.getSelection()?.isCollapsed ?? true)) return
    event.preventDefault()
    const value = exactValue(rows[chosen.row]?.[chosen.place])
    const { text, html } = chosen.isAll ? copiedTable(columns, rows) : { text: value, html: undefined }
    event.clipboardData.setData('text/plain', text)
    if (html !== undefined) event.clipboardData.setData('text/html', html)
  }
  return { chosen, choose, onCopy, onKeyDown, clear: () => setKept(null) }
}
