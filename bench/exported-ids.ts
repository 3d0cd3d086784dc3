import { parquetReadObjects } from 'hyparquet'

import type { ExportFormat } from '#contract/run-export.ts'

/** The `run_id` of each row of an exported file, in the order of the file. */
export async function exportedIds(format: ExportFormat, file: Uint8Array): Promise<string[]> {
  if (format === 'parquet') {
    const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength)
    const rows = await parquetReadObjects({ file: buffer as ArrayBuffer, columns: ['run_id'] })
    return rows.map((row) => String(row['run_id']))
  }
  const text = new TextDecoder().decode(file)
  if (format === 'ndjson')
    return text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { run_id: string }).run_id)
  const [head = [], ...rows] = recordsOf(text)
  const column = head.indexOf('run_id')
  return rows.map((cells) => cells[column] ?? '')
}

/** RFC 4180: quoted cells can contain commas, line ends and doubled quotes. */
function recordsOf(text: string): string[][] {
  const records: string[][] = []
  let cells: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|$)/g)) {
    if (end === '' && quoted === undefined && plain === '' && cells.length === 0) break
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    records.push(cells)
    cells = []
  }
  return records
}
