/** What every axis and grid of a chart has in common. */
export const axisLooks = {
  tickLine: false,
  stroke: 'var(--line-strong)',
  tick: { fontSize: 12, fill: 'var(--text-muted)' },
} as const

/** A tooltip appears at once, and without motion. */
export const tooltipLooks = { isAnimationActive: false, wrapperStyle: { zIndex: 3 } } as const

/** A chart whose marks lead nowhere is one picture, whose tooltip the arrow keys move. */
export const pictureOf = (label: string) => ({ role: 'img', 'aria-label': label })
