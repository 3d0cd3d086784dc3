import './series.css'

const colors = 8

/**
 * The index of each group for its color and symbol: its place among the names in order, so that a group looks the same
 * in every chart of the same groups, however each chart sorts them.
 */
export const seriesOf = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.toSorted().map((name, place) => [name, place]))

/** The color of a group by its index: eight colors, then the same colors with the next symbol. */
export const seriesColor = (place: number) => `var(--series-${(place % colors) + 1})`

const resolved = new Map<string, string[]>()

/** The same colors for a canvas, which can't use CSS variables; read once per color scheme. */
export function seriesColorsOf(scheme: string, element: Element): string[] {
  const known = resolved.get(scheme)
  if (known) return known
  const style = getComputedStyle(element)
  const read = Array.from({ length: colors }, (_, place) => style.getPropertyValue(`--series-${place + 1}`).trim())
  resolved.set(scheme, read)
  return read
}

const symbols = [
  'M-6,0A6,6 0 1 1 6,0A6,6 0 1 1 -6,0Z',
  'M-5.5,-5.5H5.5V5.5H-5.5Z',
  'M0,-7.5L7,5H-7Z',
  'M0,-8L8,0L0,8L-8,0Z',
  'M0,7.5L7,-5H-7Z',
]

/** Groups also differ in shape: an SVG path around the origin. */
export const seriesSymbol = (place: number) => symbols[place % symbols.length] ?? ''
