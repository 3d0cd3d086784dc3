import { type Analytics, type AnalyticsRow, RefusedRows } from '#platform/analytics/analytics.ts'
import { invalid } from '#platform/failure.ts'
import { isAboutRows } from './engine-error.ts'
import { enginePool } from './engine-pool.ts'

export type ChdbOptions = {
  /** Holds one data directory per organization. */
  folder: string
  /** An engine unused for this long is stopped; it starts again with the next query. */
  idleSeconds?: number
  /** An engine that grows beyond this is killed. */
  memoryBytes?: number
}

const queryDeadlineSeconds = 30
const writeDeadlineSeconds = 300

/** Analytics in chDB processes, one per organization over its own folder; a process is killed on deadline or memory. */
export function chdbAnalytics({ folder, idleSeconds = 300, memoryBytes = 2 ** 31 }: ChdbOptions): Analytics {
  const pool = enginePool({ folder, idleSeconds, memoryBytes })
  return {
    async query(organizationId, sql, { parameters = {}, deadlineSeconds = queryDeadlineSeconds } = {}) {
      // chDB runs only what stands before a NUL.
      if (sql.includes('\0')) throw invalid('SQL may not hold a NUL character')
      const task = { kind: 'query', sql, parameters, deadlineSeconds } as const
      return readRows(await pool.perform(organizationId, task, deadlineSeconds))
    },
    async insert(organizationId, table, rows) {
      if (rows.length === 0) return
      const task = { kind: 'insert', table, rows: writeRows(rows) } as const
      try {
        await pool.perform(organizationId, task, writeDeadlineSeconds)
      } catch (error) {
        throw isAboutRows(error) ? new RefusedRows(`ClickHouse error ${error.code}`) : error
      }
    },
    async clear(organizationId) {
      await pool.perform(organizationId, { kind: 'clear' }, writeDeadlineSeconds)
    },
    close: () => pool.close(),
  }
}

const writeRows = (rows: readonly AnalyticsRow[]) =>
  new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

function readRows(lines: Uint8Array): AnalyticsRow[] {
  const text = new TextDecoder().decode(lines).trimEnd()
  return text === '' ? [] : (JSON.parse(`[${text.replaceAll('\n', ',')}]`) as AnalyticsRow[])
}
