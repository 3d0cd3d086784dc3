/** What every axis and grid of a chart has in common. */
export const axisLooks = {
  tickLine: false,
  stroke: 'var(--line-strong)',
  tick: { fontSize: 12, fill: 'var(--text-muted)' },
} as const

/** A tooltip appears at once, and without motion. */
export const tooltipLooks = { isAnimationActive: false, wrapperStyle: { zIndex: 3 } } as const

/**
 * A chart whose marks lead nowhere is one element, whose tooltip the arrow keys move. Screen readers pass these keys to
 * an application, not to a picture, whose parts they would also hide.
 */
export const pictureOf = (label: string) => ({ role: 'application', 'aria-label': label })
