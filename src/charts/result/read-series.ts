import type { Presentation } from '#contract/insight-fields.ts'
import type { ResultTable } from '#contract/queries.ts'
import { type ColumnKind, kindOf, numberOf, showValue, timeOf } from './values.ts'

export type Table = Pick<ResultTable, 'columns' | 'rows'>

/** One future mark: `x` is a value on a scale or the index of a category; `row` is its row in the result. */
export type Datum = { x: number; category: string; y: number; row: number }

export type Series = { name: string; data: Datum[] }

export type SeriesOf = {
  series: Series[]
  xKind: ColumnKind
  /** In result order; empty for a numeric scale. */
  categories: string[]
  /** Rows that have no value to draw. */
  missing: number
}

/** The rows of a result as series of marks: one for each value of `series`, times each column of `y`. */
export function readSeries({ columns, rows }: Table, { x, y, series }: Presentation, isBanded: boolean): SeriesOf {
  const place = (name: string | undefined) => columns.findIndex((column) => column.name === name)
  const [xPlace, seriesPlace] = [place(x), place(series)]
  const xColumn = columns[xPlace]
  const xKind = xColumn ? kindOf(xColumn) : 'text'
  const isOnScale = !isBanded && xKind !== 'text'
  const categories = new Map<string, number>()
  const all = new Map<string, Series>()
  let missing = 0
  for (const [row, values] of rows.entries()) {
    const category = xPlace < 0 ? '' : showValue(values[xPlace], xKind)
    const scaled = xKind === 'time' ? timeOf(values[xPlace]) : numberOf(values[xPlace])
    if (!isOnScale && !categories.has(category)) categories.set(category, categories.size)
    const across = isOnScale ? scaled : (categories.get(category) ?? 0)
    for (const column of y) {
      const value = numberOf(values[place(column)])
      if (value === null || across === null) {
        missing += 1
        continue
      }
      const name = nameOf(seriesPlace < 0 ? null : showValue(values[seriesPlace]), column, y.length)
      const one = all.get(name) ?? { name, data: [] }
      one.data.push({ x: across, category, y: value, row })
      all.set(name, one)
    }
  }
  return { series: [...all.values()], xKind, categories: [...categories.keys()], missing }
}

const nameOf = (series: string | null, column: string, columns: number) =>
  series === null ? column : columns > 1 ? `${series} · ${column}` : series
