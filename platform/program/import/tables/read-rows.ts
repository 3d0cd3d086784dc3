import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'

import type { LeftOut } from '#platform/program/import/reading/left-out.ts'
import type { Look } from '#platform/program/import/reading/look-at-file.ts'
import { delimiterOf, readCsv } from '#platform/program/import/reading/read-csv.ts'
import { readRecords } from '#platform/program/import/reading/read-records.ts'
import type { ResultFile } from '#platform/program/import/reading/result-files.ts'

type Row = Record<string, unknown>

const rowsTogether = 2000

/** The rows of a table by the names of its columns, some at a time. Columns of one name are `name`, `name 2`, …. */
export async function* readRows(file: ResultFile, look: Look, leaveOut: (left: LeftOut) => void): AsyncGenerator<Row> {
  if (look.kind === 'parquet') yield* readParquet(file)
  else if (look.kind === 'text') yield* readText(file, look.start)
  else yield* readRecords(file, look, leaveOut)
}

async function* readText(file: ResultFile, start: string): AsyncGenerator<Row> {
  let header: readonly string[] | null = null
  for await (const cells of readCsv(file, delimiterOf(start))) {
    if (header) yield Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']))
    else header = distinctNames(cells)
  }
}

function distinctNames(cells: readonly string[]) {
  const times = new Map<string, number>()
  return cells.map((cell, index) => {
    const name = cell.replace(/^\uFEFF/, '').trim() || `column ${index + 1}`
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    return time === 1 ? name : `${name} ${time}`
  })
}

async function* readParquet({ root, inside }: ResultFile): AsyncGenerator<Row> {
  const file = await asyncBufferFromFile(`${root}/${inside}`)
  const metadata = await parquetMetadataAsync(file)
  const count = Number(metadata.num_rows)
  for (let start = 0; start < count; start += rowsTogether)
    for (const row of await parquetReadObjects({
      file,
      metadata,
      rowStart: start,
      rowEnd: Math.min(count, start + rowsTogether),
    }))
      yield toPlain(row)
}

/** Large numbers are bigints in Parquet. */
const toPlain = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  )
