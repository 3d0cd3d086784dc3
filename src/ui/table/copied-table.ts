import { plainText, toTabCell } from '#contract/csv-cell.ts'
import { escapeHtml } from '#src/format/escape-html.ts'
import type { Column } from './column.ts'
import { exactLines } from './csv.ts'

type Value = string | number

export type CopiedTable = { text: string; html: string }

/** A table for the clipboard: tab-separated text for spreadsheets and terminals, and HTML for documents. */
export function copiedTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): CopiedTable {
  const lines = exactLines(columns, rows)
  const [head = [], ...body] = lines
  return {
    text: lines.map((line) => line.map(toTabCell).join('\t')).join('\n'),
    html: `<table><thead>${htmlRow(head, 'th')}</thead><tbody>${body.map((row) => htmlRow(row, 'td')).join('')}</tbody></table>`,
  }
}

const htmlRow = (values: readonly Value[], tag: 'td' | 'th') =>
  `<tr>${values.map((value) => `<${tag}>${htmlCell(value)}</${tag}>`).join('')}</tr>`

const htmlCell = (value: Value) => escapeHtml(plainText(value)).replaceAll(/\r\n?|\n/g, '<br>')

/** Copies a table that may still have to be read. The browser counts the click only if it is asked at once. */
export function copyTable(table: Promise<CopiedTable>): Promise<void> {
  const part = async (name: keyof CopiedTable, type: string) => new Blob([(await table)[name]], { type })
  return navigator.clipboard.write([
    new ClipboardItem({ 'text/plain': part('text', 'text/plain'), 'text/html': part('html', 'text/html') }),
  ])
}
