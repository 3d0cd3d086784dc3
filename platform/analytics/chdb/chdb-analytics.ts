import {
  type Analytics,
  type AnalyticsRow,
  type EngineTable,
  type QueryOptions,
  RefusedRows,
  StatementRefused,
} from '#platform/analytics/analytics.ts'
import { exhausted, invalid, unavailable } from '#platform/failure.ts'
import { findOutdatedFolders } from './data-folder.ts'
import { EngineError, isAboutRows, isOverLimit, memoryLimitExceeded, timeoutExceeded } from './engine-error.ts'
import { enginePool, type PerformTask } from './engine-pool.ts'

export type ChdbOptions = {
  /** Holds one data directory per organization. */
  folder: string
  /** An engine unused for this long is stopped; it starts again with the next query. */
  idleSeconds?: number
  /** An engine that grows beyond this is killed. */
  memoryBytes?: number
  /** How long a statement of a user's may take. */
  readSeconds?: number
}

const queryDeadlineSeconds = 30
const writeDeadlineSeconds = 300

/** Analytics in chDB processes, one per organization over its own folder; a process is killed on deadline or memory. */
export function chdbAnalytics({
  folder,
  idleSeconds = 300,
  memoryBytes = 2 ** 31,
  readSeconds = 20,
}: ChdbOptions): Analytics {
  const pool = enginePool({ folder, idleSeconds, memoryBytes })
  return {
    async query(organizationId, sql, { parameters = {}, deadlineSeconds = queryDeadlineSeconds } = {}) {
      refuseNul(sql)
      const task = { kind: 'query', sql, parameters, deadlineSeconds } as const
      try {
        return readRows(await pool.perform(organizationId, task, deadlineSeconds))
      } catch (error) {
        throw toUnavailable(error)
      }
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
      await pool.clear(organizationId)
    },
    findOutdated: () => findOutdatedFolders(folder),
    takeTurn: (organizationId, work) =>
      pool.takeTurn(organizationId, (perform) =>
        work((sql, options) => read(perform, sql, { deadlineSeconds: readSeconds, ...options })),
      ),
    close: () => pool.close(),
  }
}

/** chDB runs only what stands before a NUL. */
function refuseNul(sql: string) {
  if (sql.includes('\0')) throw invalid('SQL may not hold a NUL character')
}

const toUnavailable = (error: unknown) => {
  if (!(error instanceof EngineError)) return error
  if (error.code === timeoutExceeded) return unavailable('The query took longer than it may')
  if (error.code === memoryLimitExceeded) return unavailable('The query used more memory than it may')
  return error
}

type ReadOptions = QueryOptions & { deadlineSeconds: number }

async function read(perform: PerformTask, sql: string, { parameters = {}, deadlineSeconds }: ReadOptions) {
  refuseNul(sql)
  const task = { kind: 'read', sql, parameters, deadlineSeconds } as const
  try {
    return readTable(await perform(task, deadlineSeconds))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (isOverLimit(error)) throw exhausted('The query needs more time, memory or bytes than a query may use')
    throw new StatementRefused(error.message, error.code)
  }
}

type JsonCompact = {
  meta: EngineTable['columns']
  data: unknown[][]
  statistics: { elapsed: number; rows_read: number; bytes_read: number }
}

function readTable(bytes: Uint8Array): EngineTable {
  const { meta, data, statistics } = JSON.parse(new TextDecoder().decode(bytes)) as JsonCompact
  const { elapsed, rows_read: rowsRead, bytes_read: bytesRead } = statistics
  return { columns: meta, rows: data, statistics: { elapsedSeconds: elapsed, rowsRead, bytesRead } }
}

const writeRows = (rows: readonly AnalyticsRow[]) =>
  new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

function readRows(lines: Uint8Array): AnalyticsRow[] {
  const text = new TextDecoder().decode(lines).trimEnd()
  return text === '' ? [] : (JSON.parse(`[${text.replaceAll('\n', ',')}]`) as AnalyticsRow[])
}
