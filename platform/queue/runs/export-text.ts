import { toCsvCell } from '#contract/csv-cell.ts'
import { exportColumns } from './export-columns.ts'
import type { RunRow } from './list-store.ts'

type Batches = AsyncIterable<readonly RunRow[]>

/** Every line ends with a line break, including the last, so that a reader can count rows. */
const toCsvLine = (cells: readonly string[]) => `${cells.join(',')}\r\n`

export async function* writeCsv(batches: Batches): AsyncGenerator<Uint8Array> {
  yield Buffer.from(toCsvLine(exportColumns.map(({ name }) => name)))
  for await (const rows of batches) {
    yield Buffer.from(rows.map((row) => toCsvLine(exportColumns.map(({ read }) => toCsvCell(read(row))))).join(''))
  }
}

export async function* writeNdjson(batches: Batches): AsyncGenerator<Uint8Array> {
  for await (const rows of batches) yield Buffer.from(rows.map((row) => `${JSON.stringify(toObject(row))}\n`).join(''))
}

const toObject = (row: RunRow) => Object.fromEntries(exportColumns.map(({ name, read }) => [name, read(row)]))
