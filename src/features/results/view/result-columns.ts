import type { ReactNode } from 'react'

import type { Column } from '#src/ui/table/column.ts'

/** One column of a table of results. */
export type ResultColumn<Row> = {
  header: string
  /** What the header means, on hover. */
  hint?: string
  text: (row: Row) => string
  /** What the column is sorted by; by default its text. Null, for a missing value, sorts last in both directions. */
  value?: (row: Row) => number | string | null
  /** The cell's content; by default its text. */
  cell?: (row: Row) => ReactNode
  /** Long text takes several lines. */
  wraps?: true
  /** Numbers are right-aligned, which is the default. */
  align?: 'left' | 'right'
}

type Name<Row> = { header: string; text: (row: Row) => string }

/** The columns of results as columns of every table, the name first. */
export const toColumns = <Row>(name: Name<Row>, columns: readonly ResultColumn<Row>[]): Column<Row>[] => [
  { id: name.header, header: name.header, value: name.text },
  ...columns.map(({ header, hint, text, value, align }): Column<Row> => ({
    id: header,
    header,
    hint: hint ?? header,
    value: value ?? text,
    ...(align !== 'left' && { align: 'right' }),
  })),
]

/** The rows with the searched text in their name or in another column of text. Numbers are not searched. */
export function matchingRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], search: string) {
  const searched = search.trim().toLowerCase()
  if (searched === '') return rows
  return rows.filter((row) =>
    columns.some(({ value }) => {
      const found = value?.(row)
      return typeof found === 'string' && found.toLowerCase().includes(searched)
    }),
  )
}
