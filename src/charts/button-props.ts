import type { KeyboardEvent } from 'react'

import { reveal } from '#src/ui/reveal.ts'

/**
 * Makes an SVG mark a button: reachable with Tab, activated by click, Enter or Space. Its name starts with its visible
 * text, so that speech input can address it (WCAG 2.5.3).
 */
export const buttonProps = ({ text, words }: { text: string; words: string }, onPress: () => void) => ({
  role: 'button',
  tabIndex: 0,
  'aria-label': `${words.startsWith(text) ? '' : `${text}: `}${words}. Show runs`,
  onClick: onPress,
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onPress()
  },
})

/**
 * A `ref` for the selected mark. Recharts draws its marks anew when the pane that they open makes the chart narrower; the
 * one that had the focus keeps it. A selection that was made elsewhere, such as in the table below, stays in view there.
 */
export function revealMark(mark: SVGElement | null) {
  if (document.activeElement === document.body) mark?.focus({ preventScroll: true })
  if (document.activeElement === mark) reveal(mark)
}
