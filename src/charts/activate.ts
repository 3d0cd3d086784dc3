import type { KeyboardEvent } from 'react'

/** What makes an SVG mark a button: reachable by Tab, pressed by a click, Enter or Space. */
export const activate = (label: string, onPress: () => void) => ({
  role: 'button',
  tabIndex: 0,
  'aria-label': label,
  onClick: onPress,
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onPress()
  },
})
