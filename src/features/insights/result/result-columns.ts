import type { ResultColumn, ResultTable } from '#contract/queries.ts'
import { type ColumnKind, kindOf, showValue } from '#src/charts/result/values.ts'
import type { Column } from '#src/ui/table/column.ts'

export type Row = readonly unknown[]

export type GridColumn = Column<Row> & {
  name: string
  type: string
  kind: ColumnKind
  pixels: number
}

const measured = 200

/** At 13 px. All digits have the same, large width. */
const widthOf = (text: string) => text.length * 7.2 + (text.match(/[\dA-Z_@%-]/g)?.length ?? 0) * 1.6

/** The columns of a result, as wide as its first rows need. Two columns may have the same name. */
export function gridColumns({ columns, rows }: Pick<ResultTable, 'columns' | 'rows'>): GridColumn[] {
  return columns.map((column, place) => {
    const kind = kindOf(column)
    const head = Math.max(widthOf(column.name) + 16, shortType(column.type).length * 6.6)
    const widest = rows
      .slice(0, measured)
      .reduce((most, row) => Math.max(most, widthOf(showValue(row[place], kind))), head)
    return {
      ...column,
      id: String(place),
      header: column.name,
      kind,
      pixels: Math.round(Math.min(Math.max(widest + 24, 72), 360)),
      cell: (row) => showValue(row[place], kind),
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

/** Sorts numbers by size and other values as text. Missing values are always last. */
export function sortRows(rows: readonly Row[], place: number, kind: ColumnKind, isDescending: boolean): readonly Row[] {
  const sign = isDescending ? -1 : 1
  const isGap = (row: Row) => row[place] === null || row[place] === undefined
  const compare = (a: Row, b: Row) =>
    kind === 'number'
      ? Number(a[place]) - Number(b[place])
      : collator.compare(showValue(a[place], kind), showValue(b[place], kind))
  return [...rows.filter((row) => !isGap(row)).sort((a, b) => sign * compare(a, b)), ...rows.filter(isGap)]
}

const collator = new Intl.Collator('en', { numeric: true })
