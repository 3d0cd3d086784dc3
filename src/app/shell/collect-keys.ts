/**
 * Collects what somebody types while the command palette loads: these keys would be lost, or taken for shortcuts of the
 * page. `stop` returns the text, and leaves the next keys to the page; again it returns nothing.
 */
export function collectKeys(onEscape: () => void): { stop: () => string } {
  let text = ''
  const collect = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') onEscape()
    else if (event.key === 'Backspace') text = text.slice(0, -1)
    else if ([...event.key].length === 1) text += event.key
  }
  // Before any other listener, and whatever has the focus.
  window.addEventListener('keydown', collect, true)
  return {
    stop() {
      window.removeEventListener('keydown', collect, true)
      const collected = text
      text = ''
      return collected
    },
  }
}
