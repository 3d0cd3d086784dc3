import type { KeyboardEvent } from 'react'

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
