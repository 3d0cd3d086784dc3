/** A `ref` for the selected element: scrolls it into view once, clear of a pane that covers part of the page. */
export const reveal = (element: Element | null) => element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
