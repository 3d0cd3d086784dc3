import { useSyncExternalStore } from 'react'

const attribute = 'data-mantine-color-scheme'

/** The color scheme of the page, also of a public page, which has no Mantine. */
export const useColorScheme = () => useSyncExternalStore(watch, read)

const read = () => document.documentElement.getAttribute(attribute) ?? 'light'

function watch(onChange: () => void) {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: [attribute] })
  return () => observer.disconnect()
}
