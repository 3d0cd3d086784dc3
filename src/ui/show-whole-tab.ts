/** A `ref` for the current tab: where the tabs do not fit, scrolls their row until it is whole. */
export function showWholeTab(tab: HTMLElement | null) {
  const row = tab?.parentElement
  if (tab && row) row.scrollLeft += Math.max(0, tab.getBoundingClientRect().right - row.getBoundingClientRect().right)
}
