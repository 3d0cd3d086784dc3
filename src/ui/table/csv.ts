import { toCsvCell } from '#contract/csv-cell.ts'
import { saveBlob } from '#src/ui/save-blob.ts'
import type { Column } from './column.ts'

/** The rows as CSV (RFC 4180), with the columns that have a value. */
export const toCsv = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  exactLines(columns, rows)
    .map((line) => line.map(toCsvCell).join(','))
    .join('\r\n')

/** The names and exact values of the columns that have one. */
export function exactLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  const valued = columns.flatMap(({ header, value, csv = [] }) => (value ? [{ header, value }, ...csv] : csv))
  return [valued.map(({ header }) => header), ...rows.map((row) => valued.map(({ value }) => value(row) ?? ''))]
}

export const downloadText = (name: string, text: string, type = 'text/plain') =>
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }))
