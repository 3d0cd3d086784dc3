import { limitsOfResult, resultTooLarge, tooManyColumns, valueTooLarge } from './limits-of-results.ts'
import { convertersOf } from './result-values.ts'
import type { JsonCompact } from './rows-as-json.ts'
import type { TableStatistics } from '#platform/context/written-table.ts'

/** `json` holds the fields columns, rows, rowCount and truncated, without the braces around them. */
export type TableText = { json: string; statistics: TableStatistics }

/**
 * Turns an answer in the engine's format JSONCompact into the text that clients get, with at most `rowLimit` rows. This
 * takes as long as the result is large: it runs in an engine's process or in a worker thread, never where requests are served.
 * Throws AnswerTooLarge.
 */
export function writeTable(bytes: Uint8Array, rowLimit: number): TableText {
  if (bytes.length > limitsOfResult.bytes) throw resultTooLarge()
  const { meta, data, statistics } = JSON.parse(new TextDecoder().decode(bytes)) as JsonCompact
  if (meta.length > limitsOfResult.columns) throw tooManyColumns()
  const converters = convertersOf(meta.map(({ type }) => type))
  const rows = data.slice(0, rowLimit).map((row) =>
    row.map((value, index) => {
      if (isTooLarge(value)) throw valueTooLarge(meta[index]?.name ?? '')
      return converters[index]?.(value)
    }),
  )
  const { elapsed, rows_read: rowsRead, bytes_read: bytesRead } = statistics
  const fields = { columns: meta, rows, rowCount: rows.length, truncated: data.length > rowLimit }
  return { json: JSON.stringify(fields).slice(1, -1), statistics: { elapsedSeconds: elapsed, rowsRead, bytesRead } }
}

function isTooLarge(value: unknown) {
  if (typeof value === 'string') return value.length > limitsOfResult.valueCharacters
  return typeof value === 'object' && value !== null && JSON.stringify(value).length > limitsOfResult.valueCharacters
}
