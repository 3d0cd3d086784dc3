import { at } from './frame.ts'
import { type Markup, markup } from './markup.ts'
import type { Datum, SeriesOf } from './read-series.ts'
import { whiskerNotes } from './intervals.ts'
import { showValue, type Table } from './values.ts'

const cap = 3

/** The whiskers of one series as one path: `across` is the middle, `along` turns an end into pixels. */
export function whiskers(
  data: readonly Datum[],
  isVertical: boolean,
  { across, along }: { across: (datum: Datum) => number; along: (value: number) => number },
): Markup[] {
  const parts = data.flatMap((datum) => {
    if (!datum.range) return []
    const middle = at(across(datum))
    const [low, high] = [at(along(datum.range.low)), at(along(datum.range.high))]
    return isVertical
      ? [`M${middle},${low}V${high}M${at(middle - cap)},${low}h${2 * cap}M${at(middle - cap)},${high}h${2 * cap}`]
      : [`M${low},${middle}H${high}M${low},${at(middle - cap)}v${2 * cap}M${high},${at(middle - cap)}v${2 * cap}`]
  })
  return parts.length > 0 ? [markup('path', { className: 'rc-whiskers', d: parts.join('') })] : []
}

/** Every value that the axis must reach. */
export const valuesAndEnds = (data: readonly Datum[]) =>
  data.flatMap(({ y, range }) => (range ? [y, range.low, range.high] : [y]))

/** A value with its interval, as in `0.59 (0.51 to 0.66)`. */
export const valueWithRange = ({ y, range }: Datum) =>
  range ? `${showValue(y)} (${showValue(range.low)} to ${showValue(range.high)})` : showValue(y)

export const whiskerNote = (table: Table, { series, intervals }: SeriesOf) =>
  series.some(({ data }) => data.some(({ range }) => range !== null)) ? whiskerNotes(table, intervals) : []
