import { toCsvCell } from '#contract/csv-cell.ts'
import { saveBlob } from '#src/ui/save-blob.ts'
import type { Column } from './column.ts'

/** The rows as CSV (RFC 4180), with the columns that have a value. */
export function toCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const valued = columns.flatMap(({ header, value, csv = [] }) => (value ? [{ header, value }, ...csv] : csv))
  const lines = [valued.map(({ header }) => header), ...rows.map((row) => valued.map(({ value }) => value(row) ?? ''))]
  return lines.map((line) => line.map(toCsvCell).join(',')).join('\r\n')
}

export const downloadText = (name: string, text: string, type = 'text/plain') =>
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }))
