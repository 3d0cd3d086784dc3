import type { ExportFormat } from '#contract/run-export.ts'
import type { TableFile } from './table-file.ts'
import { writeParquet } from './write-parquet.ts'
import { writeCsv, writeNdjson } from './write-text.ts'

const writers = { csv: writeCsv, ndjson: writeNdjson, parquet: writeParquet }

/** The parts of a file of a table. CSV has a line of names first. */
export const writeTableFile = (format: ExportFormat, table: TableFile): AsyncGenerator<Uint8Array> =>
  writers[format](table)
