import { toCsvCell } from '#contract/csv-cell.ts'
import { type FileRow, type TableFile, toCell } from './table-file.ts'

/** Every line ends with a line break, including the last, so that a reader can count rows. */
const toCsvLine = (row: FileRow) => `${row.map((value) => toCsvCell(toCell(value))).join(',')}\r\n`

export async function* writeCsv({ columns, batches }: TableFile): AsyncGenerator<Uint8Array> {
  yield Buffer.from(toCsvLine(columns.map(({ name }) => name)))
  for await (const rows of batches) yield Buffer.from(rows.map(toCsvLine).join(''))
}

export async function* writeNdjson({ columns, batches }: TableFile): AsyncGenerator<Uint8Array> {
  const toObject = (row: FileRow) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]))
  for await (const rows of batches) yield Buffer.from(rows.map((row) => `${JSON.stringify(toObject(row))}\n`).join(''))
}
