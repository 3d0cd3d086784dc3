import type { ResultColumn, ResultTable } from '#contract/queries.ts'
import { type ColumnKind, columnFormats, kindOf, showValue } from '#src/charts/result/values.ts'
import type { Column } from '#src/ui/table/column.ts'

export type Row = readonly unknown[]

export type GridColumn = Column<Row> & {
  name: string
  type: string
  kind: ColumnKind
  pixels: number
  /** A value of the column, with the digits that its values need to look different. */
  show: (value: unknown) => string
}

const measured = 200

/** At 13 px. All digits have the same, large width. */
const widthOf = (text: string) => text.length * 7.2 + (text.match(/[\dA-Z_@%-]/g)?.length ?? 0) * 1.6

/** The columns of a result, as wide as its first rows need. Two columns may have the same name. */
export function gridColumns({ columns, rows }: Pick<ResultTable, 'columns' | 'rows'>): GridColumn[] {
  const formats = columnFormats({ columns, rows })
  return columns.map((column, place) => {
    const kind = kindOf(column)
    const show = formats[place] ?? showValue
    const head = Math.max(widthOf(column.name) + 16, shortType(column.type).length * 6.6)
    const widest = rows.slice(0, measured).reduce((most, row) => Math.max(most, widthOf(show(row[place]))), head)
    return {
      ...column,
      id: String(place),
      header: column.name,
      kind,
      show,
      pixels: Math.round(Math.min(Math.max(widest + 24, 72), 360)),
      cell: (row) => show(row[place]),
      value: (row) => exportValue(row[place]),
    }
  })
}

/** Shortens `Nullable(Float64)` to `Float64?`. The values of an enumeration appear on hover. */
export const shortType = (type: string): string =>
  type
    .replace(/^LowCardinality\((.*)\)$/, '$1')
    .replace(/^Nullable\((.*)\)$/, '$1?')
    .replace(/^(Enum\d+)\(.*\)/, '$1')

/** The exact value as text; null is ''. */
export const exactValue = (value: unknown): string => String(exportValue(value) ?? '')

/** The exact value for files; null if it is missing. */
function exportValue(value: unknown): string | number | null {
  if (value === null || value === undefined) return null
  return typeof value === 'number' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Rows as objects. Columns with the same name get their index as a suffix. */
export function toJson({ columns, rows }: { columns: readonly ResultColumn[]; rows: readonly Row[] }): string {
  const taken = new Set<string>()
  const names = columns.map(({ name }, place) => {
    const own = taken.has(name) ? `${name}_${place + 1}` : name
    taken.add(own)
    return own
  })
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(names.map((name, place) => [name, row[place] ?? null]))),
    null,
    1,
  )
}

/** Sorts numbers by size, times by all their digits and other values as text. NaN and then missing values are last in both directions. */
export function sortRows(rows: readonly Row[], place: number, kind: ColumnKind, isDescending: boolean): readonly Row[] {
  const sign = isDescending ? -1 : 1
  const classOf = (row: Row) => {
    const value = row[place]
    if (value === null || value === undefined) return 2
    return kind === 'number' && Number.isNaN(Number(value)) ? 1 : 0
  }
  const compare = kind === 'number' ? compareNumbers : kind === 'time' ? compareTimes : compareTexts
  const valued = rows.filter((row) => classOf(row) === 0)
  return [
    ...valued.toSorted((a, b) => sign * compare(a[place], b[place])),
    ...rows.filter((row) => classOf(row) === 1),
    ...rows.filter((row) => classOf(row) === 2),
  ]
}

/** Long integers and decimals arrive as text, because a JavaScript number has only 15 to 17 digits of them. */
function compareNumbers(a: unknown, b: unknown): number {
  const [left, right] = [Number(a), Number(b)]
  if (left !== right) return left < right ? -1 : 1
  const digits = Math.max(fractionOf(a).length, fractionOf(b).length)
  const [exactLeft, exactRight] = [scaled(a, digits), scaled(b, digits)]
  if (exactLeft === null || exactRight === null || exactLeft === exactRight) return 0
  return exactLeft < exactRight ? -1 : 1
}

/** The values of a column have the same number of digits. */
function compareTimes(a: unknown, b: unknown): number {
  const [left, right] = [String(a), String(b)]
  return left === right ? 0 : left < right ? -1 : 1
}

const compareTexts = (a: unknown, b: unknown) => collator.compare(showValue(a), showValue(b))

const decimal = /^(-?\d+)(?:\.(\d+))?$/

const fractionOf = (value: unknown) => decimal.exec(String(value))?.[2] ?? ''

/** The value times 10 to the power of `digits`; null for infinities and for exponents, which are doubles. */
function scaled(value: unknown, digits: number): bigint | null {
  const whole = decimal.exec(String(value))?.[1]
  return whole === undefined ? null : BigInt(whole + fractionOf(value).padEnd(digits, '0'))
}

const collator = new Intl.Collator('en', { numeric: true })
