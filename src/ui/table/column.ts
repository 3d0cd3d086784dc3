import type { ReactNode } from 'react'

/** One column of a DataTable, in the words of its rows. */
export type Column<Row> = {
  id: string
  header: string
  /** What is shown; the value as it is, unless told. */
  cell?: (row: Row) => ReactNode
  /** Used for sorting and the CSV; null sorts last in both directions. */
  value?: (row: Row) => string | number | null
  align?: 'right'
  /** A CSS width; columns without one share what is left. */
  width?: string
  /** From which width of the table the column is shown; always, unless told. */
  from?: 'sm' | 'md' | 'lg'
  /** Hidden by default. */
  optional?: boolean
}
