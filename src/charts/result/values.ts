import type { ResultColumn, ResultTable } from '#contract/queries.ts'
import { significantDigits } from '#src/charts/tick-names.ts'

/** Rows to draw. `whiskers` says what their intervals mean, which column names cannot. */
export type Table = Pick<ResultTable, 'columns' | 'rows'> & { whiskers?: string | undefined }

/** How the values of a column can be drawn. */
export type ColumnKind = 'number' | 'time' | 'text'

/** Reads ClickHouse's type names, such as `LowCardinality(Nullable(String))`. */
export function kindOf({ type }: Pick<ResultColumn, 'type'>): ColumnKind {
  const plain = type.replace(/^LowCardinality\((.*)\)$/, '$1').replace(/^Nullable\((.*)\)$/, '$1')
  if (/^(U?Int\d+|B?Float\d+|Decimal)/.test(plain)) return 'number'
  return /^Date(32|Time|$)/.test(plain) ? 'time' : 'text'
}

/** A number to draw; null for missing values, NaN and infinities. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : NaN
  return Number.isFinite(number) ? number : null
}

/** Milliseconds since 1970. A local time of a named zone is read as if its clock were in UTC. */
export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null
  const time = Date.parse(/Z$|^[\d-]+$/.test(value) ? value : `${value.replace(' ', 'T')}Z`)
  return Number.isFinite(time) ? time : null
}

/** Null is a gap, never zero and never the text "null". */
const emptyValue = '–'

const rounded = (value: number, digits = 0) =>
  Number.isFinite(value)
    ? String(Number(value.toPrecision(Math.min(maxDigits, Math.max(digits, digitsOf(value))))))
    : String(value)

/** Six digits, but of a long number all before the point and two after it. */
const digitsOf = (value: number) => Math.max(6, exponentOf(Math.max(Math.abs(value), 1)) + 3)

/** A value as text: long fractions with six digits, times to the second, lists as JSON. */
export function showValue(value: unknown, kind: ColumnKind = 'text'): string {
  if (value === null || value === undefined) return emptyValue
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : rounded(value)
  if (typeof value === 'object') return JSON.stringify(value)
  if (kind === 'time')
    return String(value)
      .replace('T', ' ')
      .replace(/(\.\d+)?Z$/, '')
  return String(value)
}

/** Shows the values of one column like `showValue`, with enough digits that different numbers and different times look different. */
export function valueFormat(values: readonly unknown[], kind: ColumnKind): (value: unknown) => string {
  if (kind === 'time') return timeFormat(values)
  const digits = digitsApart(values.filter((value) => typeof value === 'number'))
  return (value) =>
    typeof value === 'number' && !Number.isInteger(value) ? rounded(value, digits) : showValue(value, kind)
}

/** The format of each column of a table. */
export const columnFormats = ({ columns, rows }: Pick<ResultTable, 'columns' | 'rows'>) =>
  columns.map((column, place) =>
    valueFormat(
      rows.map((row) => row[place]),
      kindOf(column),
    ),
  )

function timeFormat(values: readonly unknown[]): (value: unknown) => string {
  const exact = new Set(values.filter((value) => typeof value === 'string'))
  const short = new Set(Array.from(exact, (value) => showValue(value, 'time')))
  return (value) =>
    typeof value === 'string' && short.size < exact.size
      ? value.replace('T', ' ').replace(/Z$/, '')
      : showValue(value, 'time')
}

/** The most significant digits that a double has. */
const maxDigits = 17

/** The number of significant digits that tells any two of the values apart. */
function digitsApart(values: readonly number[]): number {
  const sorted = Float64Array.from(values.filter((value) => Number.isFinite(value))).sort()
  let digits = 1
  for (let place = 1; place < sorted.length; place += 1) {
    const [low, high] = [sorted[place - 1] ?? 0, sorted[place] ?? 0]
    if (low === high) continue
    digits = Math.max(digits, exponentOf(Math.max(Math.abs(low), Math.abs(high))) - exponentOf(high - low) + 1)
  }
  return Math.min(digits, maxDigits)
}

const exponentOf = (value: number) => Math.floor(Math.log10(value))

const shortDigits = 4
const compact = new Intl.NumberFormat('en', { maximumSignificantDigits: shortDigits, notation: 'compact' })
const plain = (digits: number) => new Intl.NumberFormat('en', { maximumSignificantDigits: digits })
const plainShort = plain(shortDigits)
const scientific = (digits: number) =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: digits, notation: 'scientific' })
const scientificShort = scientific(shortDigits)

/** Zeros before or after the digits would fill the page. */
const isFar = (value: number, limit = 1e15) => value !== 0 && (Math.abs(value) >= limit || Math.abs(value) < 1e-9)

/** A number with at most four digits. */
export const shortNumber = (value: number) =>
  (isFar(value) ? scientificShort : Math.abs(value) >= 10_000 ? compact : plainShort).format(value)

/** Shows numbers that stand together with four digits, or with as many as tell them apart. */
export function shortFormat(values: readonly number[]): (value: number) => string {
  const digits = digitsApart(values)
  return digits <= shortDigits ? shortNumber : exactly(digits)
}

/** A number that is written out is not rounded before its point. */
const exactly = (digits: number) => (value: number) =>
  isFar(value, 10 ** maxDigits)
    ? scientific(digits).format(value)
    : plain(Math.min(maxDigits, Math.max(digits, exponentOf(Math.max(Math.abs(value), 1)) + 1))).format(value)

/** Shows the ticks of an axis: four digits, or exactly if some tick has more. */
export function tickFormat(ticks: readonly number[]): (value: number) => string {
  const digits = Math.max(...ticks.map((tick) => significantDigits(tick)), 1)
  return digits <= shortDigits ? shortNumber : exactly(digits)
}
