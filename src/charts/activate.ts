import type { KeyboardEvent } from 'react'

/**
 * What makes an SVG mark a button: reachable by Tab, pressed by a click, Enter or Space. Its name begins with the text on
 * it, so that who speaks what they see reaches it (WCAG 2.5.3).
 */
export const activate = ({ text, words }: { text: string; words: string }, onPress: () => void) => ({
  role: 'button',
  tabIndex: 0,
  'aria-label': `${words.startsWith(text) ? '' : `${text}: `}${words}. Show its runs`,
  onClick: onPress,
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onPress()
  },
})
