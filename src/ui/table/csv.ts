import type { Column } from './column.ts'

/** The rows as CSV (RFC 4180), with the columns that have a value. */
export function toCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const valued = columns.filter(({ value }) => value !== undefined)
  const lines = [
    valued.map(({ header }) => header),
    ...rows.map((row) => valued.map(({ value }) => value?.(row) ?? '')),
  ]
  return lines.map((line) => line.map(toCell).join(',')).join('\r\n')
}

/**
 * Spreadsheets run text that starts like a formula, so an apostrophe is added. Numbers stay numbers, even very long
 * ones.
 */
function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  if (/^-\d+(\.\d+)?$/.test(value)) return value
  const text = /^\s*[=+\-@|%＝＋－＠]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function downloadText(name: string, text: string, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
