import type { TrendLine } from './trend-line.ts'

/** One step on the X axis with, by line, the value, the distances to the ends of its interval, and the key of its runs. */
export type TrendRow = {
  step: number
  values: (number | null)[]
  errors: ([number, number] | null)[]
  groups: (string | null)[]
}

/**
 * Lines as rows of a chart, one for each step at which any line has a value. A line is broken where another has a value
 * and it has none. Intervals of few runs may be far wider than the values, so they end at the edges of the plot.
 */
export function toTrendRows(
  xs: readonly string[],
  lines: readonly TrendLine[],
  [low, high]: readonly [number, number],
): TrendRow[] {
  const placesOf = lines.map(({ places }) => new Map(places.map((place) => [place.x, place])))
  return xs.flatMap((x, step) => {
    const here = placesOf.map((places) => places.get(x))
    if (here.every((place) => (place?.value ?? null) === null)) return []
    return {
      step,
      values: here.map((place) => place?.value ?? null),
      groups: here.map((place) => place?.group ?? null),
      errors: here.map((place) => {
        const { value = null, interval = null } = place ?? {}
        return value === null || !interval
          ? null
          : [value - Math.max(low, interval.low), Math.min(high, interval.high) - value]
      }),
    }
  })
}

const lineHeight = 14

/**
 * Whether each line can have its name at its end: every line ends at the last step, far enough from the others. Otherwise
 * names would need lines of their own to the ends that they belong to.
 */
export function areEndsApart(rows: readonly TrendRow[], pixelsPerUnit: number) {
  const ends = (rows.at(-1)?.values ?? []).toSorted((a, b) => (a ?? 0) - (b ?? 0))
  return ends.every((end, place) => {
    const before = place === 0 ? -Infinity : (ends[place - 1] ?? 0)
    return end !== null && (end - before) * pixelsPerUnit >= lineHeight
  })
}

const entry = { letter: 6.6, rest: 32 }

/** How many rows the names of the lines take in a legend. */
export function legendRows(lines: readonly { label: string }[], width: number) {
  let [rows, used] = [1, 0]
  for (const { label } of lines) {
    const needed = label.length * entry.letter + entry.rest
    if (used > 0 && used + needed > width) [rows, used] = [rows + 1, 0]
    used += needed
  }
  return rows
}

/** The entries of a legend that names at most so many lines, and counts the others. */
export const namedInLegend = (lines: readonly { label: string }[], most: number) =>
  lines.length > most ? [...lines.slice(0, most), { label: `and ${lines.length - most} more` }] : lines
