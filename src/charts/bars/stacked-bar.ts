/** `series` is the place in the legend. A part without `href` is no link. */
export type BarPart = { series: number; value: number; words: string; href: string | undefined }

export type StackedBar = { key: string; name: string; words: string; href: string; parts: readonly BarPart[] }

/** A part of the legend: its name, and the index of its color. */
export type BarSeries = { name: string; color: number }
