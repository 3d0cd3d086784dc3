const attribute = 'data-mantine-color-scheme'

/** Prints in the light theme: paper is white. Registered before all other print listeners, which may read colors. */
export function printInLight() {
  const root = document.documentElement
  let scheme: string | null = null
  window.addEventListener('beforeprint', () => {
    scheme = root.getAttribute(attribute)
    root.setAttribute(attribute, 'light')
  })
  window.addEventListener('afterprint', () => {
    if (scheme !== null) root.setAttribute(attribute, scheme)
  })
}
