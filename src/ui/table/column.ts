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
  from?: 'sm' | 'md' | 'lg'
  /** Hidden by default. */
  optional?: boolean
}
