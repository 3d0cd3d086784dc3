import type { AnalyticsTable } from '#contract/sql-tables.ts'
import type { SerializedTable } from './serialized-table.ts'

/** The analytics engine, scoped to one organization per call. Only `analytics/` knows which engine it is. */
export type Analytics = {
  /**
   * Runs one statement over an organization's rows and returns them as objects, in order.
   * Throws `unavailable` when the engine died, ran out of memory or passed the deadline.
   */
  query: (organizationId: string, sql: string, options?: QueryOptions) => Promise<AnalyticsRow[]>
  /** Like query, for many rows that are passed on unparsed: one JSON object per line, as the engine writes them. */
  queryText: (organizationId: string, sql: string, options?: QueryOptions) => Promise<string>
  /**
   * Adds rows to a table. The engine stores each row once, however often it is sent.
   * Throws `RefusedRows` when a retry would fail too, and another error when a retry may help.
   */
  insert: (organizationId: string, table: AnalyticsTable, rows: readonly AnalyticsRow[] | RowLines) => Promise<void>
  /** Removes the rows of these runs from these tables. Doing it again changes nothing. */
  remove: (organizationId: string, tables: readonly AnalyticsTable[], runIds: readonly string[]) => Promise<void>
  /** Drops an organization's rows before a reindex, and marks them as rows of the current schema. */
  clear: (organizationId: string) => Promise<void>
  /** Whether the engine has no rows of an organization: there are none yet, or its folder or tables were deleted. */
  hasNoRows: (organizationId: string) => Promise<boolean>
  /** Call it when a full projection of an organization starts, so that `hasNoRows` does not report it again. */
  noteRestored: (organizationId: string) => void
  /** The organizations with rows of an older schema. They need a reindex before any query. */
  findOutdated: () => Promise<string[]>
  /**
   * Runs `work` with a reader for statements that users wrote: read-only, with limits on time, memory, bytes and
   * threads, and with an empty default database. Charts and projections never wait for it. An organization has a few
   * concurrent readers; published statements get them last and have less time (`query-queue.ts`). Throws `resource_exhausted`
   * when too many wait or the wait is too long, `failed_precondition` where `findSqlObstacle` finds one, and the errors
   * of `work`.
   */
  withReader: <T>(
    organizationId: string,
    work: (read: ReadStatement, readResult: ReadResult) => Promise<T>,
    origin?: QueryOrigin,
  ) => Promise<T>
  /**
   * The reason, for people, why this server does not execute users' SQL, or null if it does. Charts work either way.
   */
  findSqlObstacle: () => Promise<string | null>
  /** Stops every engine this process started. */
  close: () => Promise<void>
}

/** The origin of a statement: `own` (default) for a user's query, `published` for a public view. */
export type QueryOrigin = 'own' | 'published'

/** The engine cannot store these rows. The message is safe to log, because it contains no part of them. */
export class RefusedRows extends Error {}

export type AnalyticsRow = Record<string, unknown>

/** Rows that are text already: JSON objects, each followed by a line break. */
export type RowLines = { lines: readonly Uint8Array[] }

export type QueryParameter = string | number | boolean | readonly string[]

/**
 * Runs one statement with a reader. Throws `StatementRefused` for a faulty statement, `resource_exhausted` when it
 * exceeded its time, memory or bytes, `unavailable` when the engine died.
 */
export type ReadStatement = (sql: string, options?: QueryOptions) => Promise<EngineTable>

/**
 * Like ReadStatement, for rows that are sent to a user: the engine limits and writes them, and they are not parsed
 * here. Throws `resource_exhausted` when the result, one of its values or its number of columns is too large.
 */
export type ReadResult = (sql: string, options: QueryOptions & { rowLimit: number }) => Promise<SerializedTable>

/** 64-bit and wider integers, decimals, NaN and infinities are text; maps are lists of [key, value]. */
export type EngineTable = {
  columns: { name: string; type: string }[]
  rows: unknown[][]
  statistics: { elapsedSeconds: number; rowsRead: number; bytesRead: number }
}

/** The engine's own message about a statement, not written for users; `code` is ClickHouse's error number. */
export class StatementRefused extends Error {
  readonly code: number | null

  constructor(message: string, code: number | null) {
    super(message)
    this.code = code
  }
}

/**
 * `parameters` are bound as `{name:Type}` in the statement, never inserted into its text. The answer of a statement that
 * `isOnce` is not kept for the next one who asks.
 */
export type QueryOptions = {
  parameters?: Record<string, QueryParameter>
  deadlineSeconds?: number
  isOnce?: boolean
}
