import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'

import { type ExportColumn, exportColumns, type ExportValue } from './export-columns.ts'
import type { RunRow } from './list-store.ts'

/** A row group is in memory as a whole. More rows compress better, and hold the thread of all requests longer. */
const defaultRowsPerGroup = 2000

const types: Record<ExportColumn['type'], Omit<SchemaElement, 'name'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT32' },
  float: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  time: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } },
}

const schema: SchemaElement[] = [
  { name: 'root', num_children: exportColumns.length },
  ...exportColumns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...types[type] })),
]

/**
 * Writes Parquet, one row group after the other. A library writes it and not the analytics engine: the engine has no
 * row of a run that has not ended, and would hold the whole file in memory.
 */
export async function* writeParquet(
  batches: AsyncIterable<readonly RunRow[]>,
  rowsPerGroup = defaultRowsPerGroup,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter()
  const file = new ParquetWriter({ writer, schema, createdBy: 'assay' })
  const take = () => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  const writeGroup = (rows: readonly RunRow[]) =>
    file.write({
      columnData: exportColumns.map((column) => ({
        name: column.name,
        data: rows.map((row) => toParquet(column, column.read(row))),
        offsetIndex: false,
      })),
      rowGroupSize: rowsPerGroup,
    })

  let rows: RunRow[] = []
  for await (const batch of batches) {
    rows.push(...batch)
    if (rows.length < rowsPerGroup) continue
    await writeGroup(rows)
    rows = []
    yield take()
  }
  if (rows.length > 0) await writeGroup(rows)
  await file.finish()
  yield take()
}

const toParquet = ({ type }: ExportColumn, value: ExportValue) =>
  type === 'time' && value !== null ? toMicroseconds(String(value)) : value

/** The six digits after the dot are microseconds, of which a Date keeps three. */
const toMicroseconds = (instant: string) =>
  BigInt(Date.parse(`${instant.slice(0, 19)}Z`)) * 1000n + BigInt(instant.slice(20, 26))
