import type { ReactNode } from 'react'

/** One column of a DataTable. */
export type Column<Row, Sort extends string = string> = {
  id: string
  header: string
  /** What the header means, on hover. */
  hint?: string
  /** The cell's content; by default the value. */
  cell?: (row: Row) => ReactNode
  /** Used for sorting and the CSV; null sorts last in both directions. */
  value?: (row: Row) => string | number | null
  /** The platform's name for the order by this column, in lists that the platform sorts. */
  sort?: Sort
  align?: 'right'
  /** A CSS width. Columns without a width share the remaining space. */
  width?: string
  /** The table width from which the column is shown; by default always. */
  from?: 'sm' | 'md' | 'lg' | 'xl'
  /** Hidden by default. */
  optional?: boolean
  /** The first click on the header sorts the smallest value first, as for ranks; by default the largest number. */
  isBestLow?: boolean
  /** Further columns of the CSV, beside this one: the ends of an interval. */
  csv?: readonly { header: string; value: (row: Row) => string | number | null }[]
}

/** The platform's order for a sort of the URL, which names a column; undefined for any other text. */
export function platformSort<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  sort: string,
): Sort | `-${Sort}` | undefined {
  const field = columns.find(({ id }) => id === sort.replace(/^-/, ''))?.sort
  return field && (sort.startsWith('-') ? `-${field}` : field)
}

/** Of a column without a width, such as the name of the rows. */
const leastWidth = '160px'

/** How wide a table has to be for its columns, and how much wider where it also shows those from `sm` and so on. */
export function leastWidths<Row>(columns: readonly Column<Row>[]) {
  const sumOf = (from: Column<Row>['from']) => {
    const shown = columns.filter((column) => column.from === from)
    return shown.length === 0 ? '0px' : `calc(${shown.map(({ width = leastWidth }) => width).join(' + ')})`
  }
  return { always: sumOf(undefined), sm: sumOf('sm'), md: sumOf('md'), lg: sumOf('lg'), xl: sumOf('xl') }
}
