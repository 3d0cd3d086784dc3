import type { QueryEstimate } from '#contract/queries.ts'
import type { EngineTable, ReadStatement } from '#platform/analytics/analytics.ts'
import { dataSchema } from '#platform/analytics/schema.ts'

/** Sums the lines of `EXPLAIN ESTIMATE`, one per table; bytes are those rows' share of their tables, all columns counted. */
export async function readEstimate(read: ReadStatement, explained: EngineTable): Promise<QueryEstimate> {
  const column = (name: string) => explained.columns.findIndex((column) => column.name === name)
  const lines = explained.rows.map((row) => ({
    table: String(row[column('table')]),
    parts: Number(row[column('parts')]),
    rows: Number(row[column('rows')]),
    marks: Number(row[column('marks')]),
  }))
  const bytesPerRow = await readBytesPerRow(read)
  const sum = (of: (line: (typeof lines)[number]) => number) => lines.reduce((total, line) => total + of(line), 0)
  return {
    rows: sum(({ rows }) => rows),
    marks: sum(({ marks }) => marks),
    parts: sum(({ parts }) => parts),
    bytes: Math.round(sum(({ table, rows }) => rows * (bytesPerRow.get(table) ?? 0))),
  }
}

async function readBytesPerRow(read: ReadStatement): Promise<Map<string, number>> {
  const { rows } = await read(
    `SELECT table, sum(data_uncompressed_bytes) / sum(rows) FROM system.parts
     WHERE active AND database = {database:String} GROUP BY table HAVING sum(rows) > 0`,
    { parameters: { database: dataSchema } },
  )
  return new Map(rows.map(([table, bytes]) => [String(table), Number(bytes)]))
}
