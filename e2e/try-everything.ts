/** Clicks, hovers and focuses everything a reader could. Opens no other pages. Returns everything that should not be there. */
export const tryEverything = (selector: string) => {
  const inert = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link && /^(https?|mailto):$/.test(link.protocol)) event.preventDefault()
  }
  document.addEventListener('click', inert, true)
  const faults: string[] = []
  const roots = document.querySelectorAll(selector)
  if (roots.length === 0) faults.push(`nothing matches ${selector}`)
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      // Pinning changes the report, and commenting takes the focus; other stories test them.
      if (element instanceof HTMLButtonElement) continue
      const isDrawing = element.closest('svg.tabler-icon, .recharts-surface, .katex svg') !== null
      const name = element.localName
      if (/^(script|iframe|object|embed|link|style|base|meta|form|portal|img|image|video|audio|frame)$/.test(name))
        faults.push(`<${name}>`)
      // Formulas are drawn with MathML for screen readers.
      if (name === 'math' && !element.closest('.katex')) faults.push('<math>')
      if ((name === 'svg' || name === 'use') && !isDrawing) faults.push(`<${name}>`)
      for (const { name: attribute, value } of element.attributes) {
        if (attribute.startsWith('on') || attribute === 'srcdoc') faults.push(`${name} ${attribute}`)
        const isOurs =
          /user-content-|^(footnote-label$|mantine|_r_|cm-)/.test(value) || (isDrawing && value.startsWith('recharts'))
        if (attribute === 'name' || (attribute === 'id' && !isOurs)) faults.push(`${name} ${attribute}=${value}`)
      }
      if (
        element instanceof HTMLAnchorElement &&
        element.hasAttribute('href') &&
        !/^(https?|mailto):$/.test(element.protocol)
      )
        faults.push(`href=${element.getAttribute('href')}`)
      // The icon of a button presses it too.
      if (element.closest('button')) continue
      for (const type of ['pointerover', 'mouseover', 'focus', 'click', 'toggle', 'error', 'load'])
        element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
    }
  }
  document.removeEventListener('click', inert, true)
  return faults
}
