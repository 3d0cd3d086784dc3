import './series.css'

const colors = 8

/** The index of the color of everything without a color of its own. */
export const colorOfOthers = colors

/**
 * The index of each group for its color and symbol. It follows from the group's name, so that a group has the same color
 * on every page, unless another group of the chart has taken it. Groups past the eighth have no color of their own.
 */
export function seriesOf(names: readonly string[]): ReadonlyMap<string, number> {
  const ordered = [...new Set(names)].toSorted()
  const places = new Map<string, number>()
  const taken = new Set<number>()
  for (const name of ordered) {
    const own = colorOf(name)
    if (taken.has(own)) continue
    taken.add(own)
    places.set(name, own)
  }
  let next = 0
  for (const name of ordered) {
    if (places.has(name)) continue
    while (taken.has(next)) next += 1
    taken.add(next)
    places.set(name, next)
  }
  return places
}

/** A color by name alone: FNV-1a with a last step of MurmurHash, since names that differ in a letter must spread. */
function colorOf(name: string) {
  let sum = 0x811c9dc5
  for (let place = 0; place < name.length; place += 1) sum = Math.imul(sum ^ name.charCodeAt(place), 0x01000193)
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b)
  return ((sum ^ (sum >>> 13)) >>> 0) % colors
}

/** The color of a group by its index: eight colors that stay apart, then gray, which is dark while the pointer is at the group. */
export const seriesColor = (place: number, isShown = false) =>
  place < colors ? `var(--series-${place + 1})` : isShown ? 'var(--text)' : 'var(--series-rest)'

const resolved = new Map<string, string[]>()

/** The same colors for a canvas, which can't use CSS variables; read once per color scheme. */
export function seriesColorsOf(scheme: string, element: Element): string[] {
  const known = resolved.get(scheme)
  if (known) return known
  const style = getComputedStyle(element)
  const names = [...Array.from({ length: colors }, (_, place) => `--series-${place + 1}`), '--series-rest']
  const read = names.map((name) => style.getPropertyValue(name).trim())
  resolved.set(scheme, read)
  return read
}

const symbols = [
  'M-6,0A6,6 0 1 1 6,0A6,6 0 1 1 -6,0Z',
  'M-5.5,-5.5H5.5V5.5H-5.5Z',
  'M0,-7.5L7,5H-7Z',
  'M0,-8L8,0L0,8L-8,0Z',
  'M0,7.5L7,-5H-7Z',
  'M-2.2,-7H2.2V-2.2H7V2.2H2.2V7H-2.2V2.2H-7V-2.2H-2.2Z',
  'M0,-8L2,-2.8L7.6,-2.5L3.2,1.1L4.7,6.5L0,3.4L-4.7,6.5L-3.2,1.1L-7.6,-2.5L-2,-2.8Z',
  'M-6.5,-3.5L-3.5,-6.5L0,-3L3.5,-6.5L6.5,-3.5L3,0L6.5,3.5L3.5,6.5L0,3L-3.5,6.5L-6.5,3.5L-3,0Z',
]

/** Groups also differ in shape, each color in another: an SVG path around the origin. */
export const seriesSymbol = (place: number) => symbols[place % symbols.length] ?? ''
