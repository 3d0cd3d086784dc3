import type { ResultColumn, ResultTable } from '#contract/queries.ts'

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

/** Milliseconds since 1970. Local times of a named zone are drawn unchanged. */
export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null
  const time = Date.parse(/Z$|^[\d-]+$/.test(value) ? value : `${value.replace(' ', 'T')}Z`)
  return Number.isFinite(time) ? time : null
}

/** Null is a gap, never zero and never the text "null". */
const emptyValue = '–'

/** A value as text: long fractions with six digits, times to the second, lists as JSON. */
export function showValue(value: unknown, kind: ColumnKind = 'text'): string {
  if (value === null || value === undefined) return emptyValue
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)))
  if (typeof value === 'object') return JSON.stringify(value)
  if (kind === 'time')
    return String(value)
      .replace('T', ' ')
      .replace(/(\.\d+)?Z$/, '')
  return String(value)
}

const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })
const compact = new Intl.NumberFormat('en', { maximumSignificantDigits: 4, notation: 'compact' })

/** A number on an axis or in a cell, with at most four digits. */
export const shortNumber = (value: number) => (Math.abs(value) >= 10_000 ? compact : plain).format(value)
