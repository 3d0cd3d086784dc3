import type { AnalyticsTable } from '#contract/sql-tables.ts'
import type { Analytics, AnalyticsRow } from '#platform/ground/services/analytics.ts'

/** The approximate size of an insert; a single row may exceed it. */
const rowsPerInsert = 5000
const bytesPerInsert = 8 * 1024 * 1024

/** Collects rows of one table and inserts them in limited batches. `send` inserts the rest. */
export function rowWriter(analytics: Pick<Analytics, 'insert'>, organizationId: string, table: AnalyticsTable) {
  let lines: Uint8Array[] = []
  let rows = 0
  let bytes = 0
  async function send() {
    const collected = lines
    lines = []
    rows = bytes = 0
    await analytics.insert(organizationId, table, { lines: collected })
  }
  /** Rows that another process wrote as lines. */
  async function addLines(text: Uint8Array, count: number) {
    lines.push(text)
    rows += count
    bytes += text.byteLength
    if (rows >= rowsPerInsert || bytes >= bytesPerInsert) await send()
  }
  return {
    add: (row: AnalyticsRow) => addLines(Buffer.from(`${JSON.stringify(row)}\n`), 1),
    addLines,
    send,
  }
}
