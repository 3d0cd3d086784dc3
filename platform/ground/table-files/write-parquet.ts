import type { SchemaElement } from 'hyparquet-writer'

import { type FileColumn, type FileRow, type TableFile, toCell } from './table-file.ts'

/** A row group is in memory as a whole. More rows compress better, and hold the thread of all requests longer. */
const defaultRowsPerGroup = 2000

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const

const types: Record<FileColumn['type'], Omit<SchemaElement, 'name'>> = {
  text,
  integer: { type: 'INT32' },
  long: { type: 'INT64' },
  float: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE' },
  time: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } },
  json: text,
}

/**
 * Writes Parquet, one row group after the other. A library writes it and not the analytics engine: the engine has no
 * row of a run that has not ended, and would hold the whole file in memory.
 */
export async function* writeParquet(
  { columns, batches }: TableFile,
  rowsPerGroup = defaultRowsPerGroup,
): AsyncGenerator<Uint8Array> {
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...types[type] })),
  ]
  // Few exports need it.
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const writer = new ByteWriter()
  const file = new ParquetWriter({ writer, schema, createdBy: 'assay' })
  const take = () => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  const writeGroup = (rows: readonly FileRow[]) =>
    file.write({
      columnData: columns.map(({ name, type }, index) => ({
        name,
        data: rows.map((row) => toParquet(type, row[index])),
        offsetIndex: false,
      })),
      rowGroupSize: rowsPerGroup,
    })

  let rows: FileRow[] = []
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

function toParquet(type: FileColumn['type'], value: unknown) {
  const cell = toCell(value)
  if (cell === null) return null
  if (type === 'long') return BigInt(cell)
  if (type === 'float') return Number(cell)
  if (type === 'date') return new Date(`${cell}T00:00:00Z`)
  if (type === 'time') return toMicroseconds(String(cell))
  return type === 'text' || type === 'json' ? String(cell) : cell
}

/** The digits after the dot are microseconds or finer, of which a Date keeps three. */
const toMicroseconds = (instant: string) =>
  BigInt(Date.parse(`${instant.slice(0, 19)}Z`)) * 1000n + BigInt(instant.slice(20, 26).replace('Z', '').padEnd(6, '0'))
