import type { Analytics, AnalyticsRow, AnalyticsTable } from '#platform/ground/context/analytics.ts'

/** The approximate size of an insert; a single row may exceed it. */
const rowsPerInsert = 5000
const charactersPerInsert = 8 * 1024 * 1024

/** Collects rows of one table and inserts them in limited batches. `send` inserts the rest. */
export function rowWriter(analytics: Pick<Analytics, 'insert'>, organizationId: string, table: AnalyticsTable) {
  let rows: AnalyticsRow[] = []
  let characters = 0
  async function send() {
    await analytics.insert(organizationId, table, rows)
    rows = []
    characters = 0
  }
  return {
    /** `size` is the number of characters of the row's text. */
    async add(row: AnalyticsRow, size: number) {
      rows.push(row)
      characters += size
      if (rows.length >= rowsPerInsert || characters >= charactersPerInsert) await send()
    },
    send,
  }
}
