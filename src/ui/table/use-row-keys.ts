import { useRef } from 'react'

import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'

/** `j` and `k` move the focus between row links; Enter then opens one, as for any link. */
export function useRowKeys(body: HTMLElement | null, rowCount: number, reveal: (index: number) => void) {
  const last = useRef(-1)
  const isMoving = useRef(false)
  const move = (step: 1 | -1) => {
    if (rowCount === 0) return false
    const focused = document.activeElement?.closest<HTMLElement>('[data-row]')
    // Keys can repeat faster than frames, so a step starts at the pending row.
    const hasFocus = focused && body?.contains(focused) && !isMoving.current
    const from = hasFocus ? Number(focused.dataset['row']) : last.current
    const to = Math.min(Math.max(from + step, 0), rowCount - 1)
    last.current = to
    isMoving.current = true
    reveal(to)
    // A virtual row exists only after the list has scrolled to it.
    requestAnimationFrame(() => {
      isMoving.current = false
      const link = body?.querySelector<HTMLElement>(`[data-row="${to}"] a, [data-row="${to}"] button`)
      link?.focus({ preventScroll: false })
    })
    return true
  }
  useShortcut('next', () => move(1))
  useShortcut('previous', () => move(-1))
}
