/**
 * The element to focus after keyboard navigation. It is in the history state and not in the URL, because a pasted link
 * moves no focus.
 */
export type Focus = 'test' | 'turn'

export const readFocus = (state: unknown): Focus | null => {
  const focus = typeof state === 'object' && state !== null && 'focus' in state ? state.focus : null
  return focus === 'test' || focus === 'turn' ? focus : null
}
