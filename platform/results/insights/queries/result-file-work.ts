import type { ResultTable } from '#contract/queries.ts'
import type { ExportFormat } from '#contract/run-export.ts'
import type { OpenJob } from '#platform/ground/content/content-job.ts'
import type { FileRow } from '#platform/ground/table-files/table-file.ts'
import { writeTableFile } from '#platform/ground/table-files/write-table-file.ts'
import { toFileColumn } from './file-columns.ts'
import type { ResultFileAnswer, ResultFileRequest } from './result-file.ts'

/** Rows that become one part of a file of text. */
const rowsPerPart = 500

async function* inBatches(rows: readonly FileRow[]) {
  for (let start = 0; start < rows.length; start += rowsPerPart) yield rows.slice(start, start + rowsPerPart)
}

/** Takes the text of a result, and gives it back as the parts of a file. */
export const open: OpenJob<ExportFormat, ResultFileRequest, ResultFileAnswer> = (format) => {
  const taken: Uint8Array[] = []
  let parts: AsyncGenerator<Uint8Array> | undefined

  function describe() {
    const text = Buffer.concat(taken.splice(0)).toString()
    const { columns, rows, rowCount, truncated } = JSON.parse(`{${text}}`) as ResultTable
    parts = writeTableFile(format, { columns: columns.map(toFileColumn), batches: inBatches(rows) })
    const names = columns.map(({ name }) => name)
    const repeatedName = names.find((name, index) => names.indexOf(name) < index) ?? null
    return { described: { rows: rowCount, truncated, repeatedName } }
  }

  return async (request) => {
    if (request === 'describe') return describe()
    if (request !== 'next') return (void taken.push(request.take), {})
    const { value, done } = (await parts?.next()) ?? { done: true, value: undefined }
    return done ? {} : { part: value }
  }
}
