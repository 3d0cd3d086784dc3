import type { QueryEstimate } from '#contract/queries.ts'
import type { Analytics, EngineTable } from '#platform/ground/services/analytics.ts'
import { dataSchema } from '#platform/analysis/analytics/create-tables.ts'

/**
 * Sums up the lines of `EXPLAIN ESTIMATE`, one per table. Bytes are the rows' share of their table's size over all
 * columns.
 */
export async function readEstimate(
  analytics: Analytics,
  organizationId: string,
  explained: EngineTable,
): Promise<QueryEstimate> {
  const column = (name: string) => explained.columns.findIndex((column) => column.name === name)
  const lines = explained.rows.map((row) => ({
    table: String(row[column('table')]),
    parts: Number(row[column('parts')]),
    rows: Number(row[column('rows')]),
    marks: Number(row[column('marks')]),
  }))
  const bytesPerRow = await readBytesPerRow(analytics, organizationId)
  const sum = (of: (line: (typeof lines)[number]) => number) => lines.reduce((total, line) => total + of(line), 0)
  return {
    rows: sum(({ rows }) => rows),
    marks: sum(({ marks }) => marks),
    parts: sum(({ parts }) => parts),
    bytes: Math.round(sum(({ table, rows }) => rows * (bytesPerRow.get(table) ?? 0))),
  }
}

/** Runs as the platform's user, because users have no grant for the sizes of whole tables on a server. */
async function readBytesPerRow(analytics: Analytics, organizationId: string): Promise<Map<string, number>> {
  const rows = await analytics.query(
    organizationId,
    `SELECT table, sum(data_uncompressed_bytes) / sum(rows) AS bytes FROM system.parts
     WHERE active AND startsWith(database, {database:String}) GROUP BY table HAVING sum(rows) > 0`,
    { parameters: { database: dataSchema } },
  )
  return new Map(rows.map(({ table, bytes }) => [String(table), Number(bytes)]))
}
