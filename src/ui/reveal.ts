/** As the `ref` of what is chosen: brings it into view once, out from under a pane that lies over the page. */
export const reveal = (element: Element | null) => element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
