import type { Presentation } from '#contract/insight-fields.ts'
import { findIntervals, type IntervalColumns, type Range, rangeIn } from './intervals.ts'
import { readClocks, type Zone, zoneOf } from './time-zones.ts'
import { type ColumnKind, columnFormats, kindOf, numberOf, showValue, type Table, timeOf } from './values.ts'

/** Every value that the axis must reach. */
export const valuesAndEnds = (data: readonly Datum[]) =>
  data.flatMap(({ y, range }) => (range ? [y, range.low, range.high] : [y]))

/** A value with its interval, as in `0.59 (0.51 to 0.66)`. */
export const valueWithRange = ({ value, range }: Datum) =>
  range ? `${value} (${showValue(range.low)} to ${showValue(range.high)})` : value

/**
 * One future mark: `x` is a value on a scale or the index of a category, `category` is its text, `value` is the text of
 * `y`, and `row` is its row in the result.
 */
export type Datum = { x: number; category: string; y: number; value: string; row: number; range: Range | null }

/** `gaps` are the places on the X axis of rows without a value. */
export type Series = { name: string; data: Datum[]; gaps: number[] }

export type SeriesOf = {
  series: Series[]
  xKind: ColumnKind
  /** The zone of times on the X axis; null for other values. */
  zone: Zone | null
  /** In result order; empty for a numeric scale. */
  categories: string[]
  /** Rows that have no value to draw. */
  missing: number
  /** The columns with the intervals of the values. */
  intervals: IntervalColumns[]
}

/** The rows of a result as series of marks: one for each value of `series`, times each column of `y`. */
export function readSeries(table: Table, { x, y, series }: Presentation, isBanded: boolean): SeriesOf {
  const { columns, rows } = table
  const place = (name: string | undefined) => columns.findIndex((column) => column.name === name)
  const [xPlace, seriesPlace] = [place(x), place(series)]
  const xColumn = columns[xPlace]
  const xKind = xColumn ? kindOf(xColumn) : 'text'
  const zone = xColumn && xKind === 'time' ? zoneOf(xColumn) : null
  const readTime =
    zone &&
    timeReader(
      zone,
      rows.map((cells) => timeOf(cells[xPlace])),
    )
  const formats = columnFormats(table)
  const show = (cells: Table['rows'][number], of: number) => (formats[of] ?? showValue)(cells[of])
  const isOnScale = !isBanded && xKind !== 'text'
  const intervalsOf = findIntervals(table).of
  const values = y.map((name) => ({ name, valuePlace: place(name), interval: intervalsOf.get(place(name)) }))
  const categories = new Map<string, number>()
  const all = new Map<string, Series>()
  const gaps: { name: string; x: number }[] = []
  let missing = 0
  for (const [row, cells] of rows.entries()) {
    const category = xPlace < 0 ? '' : show(cells, xPlace)
    const group = seriesPlace < 0 ? null : show(cells, seriesPlace)
    const scaled = readTime ? readTime(group, row) : numberOf(cells[xPlace])
    if (!isOnScale && !categories.has(category)) categories.set(category, categories.size)
    const across = isOnScale ? scaled : (categories.get(category) ?? 0)
    for (const { name: column, valuePlace, interval } of values) {
      const value = numberOf(cells[valuePlace])
      const name = seriesName(group, column, y.length)
      if (value === null || across === null) {
        missing += 1
        if (across !== null) gaps.push({ name, x: across })
        continue
      }
      const one = all.get(name) ?? { name, data: [], gaps: [] }
      const range = interval ? rangeIn(cells, value, interval) : null
      one.data.push({ x: across, category, y: value, value: show(cells, valuePlace), row, range })
      all.set(name, one)
    }
  }
  for (const { name, x: gap } of gaps) all.get(name)?.gaps.push(gap)
  return {
    series: [...all.values()],
    xKind,
    zone,
    categories: [...categories.keys()],
    missing,
    intervals: values.flatMap(({ interval }) => interval ?? []),
  }
}

/** Returns the instant of a row, which depends on the rows of its group before it in the hour that clocks repeat. */
function timeReader(zone: Zone, clocks: readonly (number | null)[]) {
  const present = clocks.filter((clock) => clock !== null)
  const isDescending = (present[0] ?? 0) > (present.at(-1) ?? 0)
  const readers = new Map<string | null, (clock: number) => number>()
  return (group: string | null, row: number) => {
    const clock = clocks[row] ?? null
    if (clock === null) return null
    const read = readers.get(group) ?? readClocks(zone, isDescending)
    readers.set(group, read)
    return read(clock)
  }
}

const seriesName = (series: string | null, column: string, columns: number) =>
  series === null ? column : columns > 1 ? `${series} · ${column}` : series
