/** Where the focus goes after a step by key, kept beside the URL in the history, since a pasted link takes no focus. */
export type Focus = 'test' | 'turn'

export const readFocus = (state: unknown): Focus | null => {
  const focus = typeof state === 'object' && state !== null && 'focus' in state ? state.focus : null
  return focus === 'test' || focus === 'turn' ? focus : null
}
