import { type KeyboardEvent, type MouseEvent, type PointerEvent, useState } from 'react'

import { type GridRow, type GridPosition, loadedIds, idsBetween, placeAfter } from './request-grid.ts'

type Selection = {
  chosen: ReadonlySet<string>
  /** The start of a range, and the selection before it. */
  anchor: GridPosition
  before: ReadonlySet<string>
}

const nothing: ReadonlySet<string> = new Set()
const origin: GridPosition = { row: 0, column: 0 }

/**
 * Selects squares like cells of a spreadsheet: click, drag, Shift-click, arrows, Space, Shift-arrows, Escape. The
 * grid's own handlers read the square from `data-square`, so that two thousand squares need no handlers.
 */
export function useSquareSelection(rows: readonly GridRow[]) {
  const [selection, setSelection] = useState<Selection | null>(null)
  const [pressed, setPressed] = useState<GridPosition | null>(null)
  const [active, setActive] = useState<GridPosition>(origin)

  const startRange = () => setSelection({ chosen: nothing, anchor: active, before: nothing })
  const end = () => setSelection(null)
  const toggle = (ids: readonly string[], anchor: GridPosition) =>
    setSelection((known) => {
      const chosen = known?.chosen ?? nothing
      const isOn = ids.every((id) => chosen.has(id))
      const next = new Set(isOn ? [...chosen].filter((id) => !ids.includes(id)) : [...chosen, ...ids])
      return { chosen: next, anchor, before: next }
    })
  const extend = (from: GridPosition, to: GridPosition) =>
    setSelection((known) => {
      const before = known?.before ?? nothing
      return { before, anchor: from, chosen: new Set([...before, ...idsBetween(rows, from, to)]) }
    })

  const onPointerDown = (event: PointerEvent) => {
    const isMouse = event.pointerType === 'mouse' && event.button === 0
    setPressed(isMouse && !event.shiftKey ? squareAt(event.target) : null)
  }
  const onPointerOver = (event: PointerEvent) => {
    const place = squareAt(event.target)
    const isDragging = event.buttons === 1 && pressed && place && !isSame(pressed, place)
    if (isDragging) extend(pressed, place)
  }
  const onPointerUp = () => {
    setPressed(null)
    setSelection((known) => known && { ...known, before: known.chosen })
  }
  const onClick = (event: MouseEvent) => {
    const place = squareAt(event.target)
    if (!place) return
    if (event.shiftKey) {
      // Otherwise the browser would open the link in a new window.
      event.preventDefault()
      extend(selection?.anchor ?? active, place)
    } else if (selection) toggle(loadedIds([rows[place.row]?.runs[place.column]]), place)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') return end()
    const from = squareAt(event.target)
    const to = from && placeAfter(event.key, from, rows)
    if (!to) return
    event.preventDefault()
    if (event.shiftKey) extend(selection?.anchor ?? from, to)
    event.currentTarget.querySelector<HTMLElement>(`[data-square="${to.row} ${to.column}"]`)?.focus()
  }
  const onFocus = (event: { target: EventTarget }) => setActive(squareAt(event.target) ?? active)

  return {
    /** Null while the squares are links. */
    chosen: selection?.chosen ?? null,
    /** The only square that Tab reaches. Arrow keys move to the others. */
    active,
    startRange,
    end,
    toggle,
    handlers: { onPointerDown, onPointerOver, onPointerUp, onClick, onKeyDown, onFocus },
  }
}

const isSame = (a: GridPosition, b: GridPosition) => a.row === b.row && a.column === b.column

function squareAt(target: EventTarget): GridPosition | null {
  const square = target instanceof Element ? target.closest<HTMLElement>('[data-square]') : null
  const [row, column] = (square?.dataset['square'] ?? '').split(' ').map(Number)
  return square && row !== undefined && column !== undefined ? { row, column } : null
}
