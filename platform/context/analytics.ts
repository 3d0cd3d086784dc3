import type { WrittenTable } from './written-table.ts'

/** The analytics engine, one organization at a time; nothing outside `analytics/` knows which engine runs. */
export type Analytics = {
  /**
   * Runs one statement over an organization's rows and gives its rows as objects, in order.
   * Throws `unavailable` when the engine died, ran out of memory or passed the deadline.
   */
  query: (organizationId: string, sql: string, options?: QueryOptions) => Promise<AnalyticsRow[]>
  /** As query, for many rows that go on as they are: one JSON object a line, as the engine writes them. */
  queryText: (organizationId: string, sql: string, options?: QueryOptions) => Promise<string>
  /**
   * Adds rows to a table; the engine holds each row once however often it is sent.
   * Throws `RefusedRows` when it would refuse the same rows again, another error when trying again may help.
   */
  insert: (organizationId: string, table: AnalyticsTable, rows: readonly AnalyticsRow[]) => Promise<void>
  /** Drops an organization's rows, before a reindex; whatever held rows of an older schema holds none of the current one. */
  clear: (organizationId: string) => Promise<void>
  /** Whether the engine holds no row of an organization: it has none yet, or somebody removed the engine's folder or tables. */
  hasNoRows: (organizationId: string) => Promise<boolean>
  /** Call it when every row of an organization is being projected again, so that `hasNoRows` does not report it twice. */
  noteRestored: (organizationId: string) => void
  /** The organizations whose rows were written by an older schema; they need a reindex before anything else. */
  findOutdated: () => Promise<string[]>
  /**
   * Lets `work` read with statements that users wrote: read-only, bounded in time, memory, bytes and threads, over a
   * default database that holds nothing. Charts and projections never wait for it; an organization has few turns at
   * once, in which published statements stand back and have less time (`lane.ts`). Throws `resource_exhausted` when too
   * many wait or the wait is too long, `failed_precondition` where `findSqlObstacle` finds one, and what `work` throws.
   */
  takeTurn: <T>(
    organizationId: string,
    work: (read: ReadStatement, readResult: ReadResult) => Promise<T>,
    turn?: Turn,
  ) => Promise<T>
  /** Why this server does not execute users' SQL, in words for people, or null if it does. Charts work either way. */
  findSqlObstacle: () => Promise<string | null>
  /** Stops every engine this process started. */
  close: () => Promise<void>
}

/** Whose a statement is: a user's `own` (the default), or one a user has `published`, which strangers look at. */
export type Turn = 'own' | 'published'

/** Something in the rows themselves cannot be held. The message holds no part of them: it goes to the log. */
export class RefusedRows extends Error {}

export type AnalyticsTable = 'runs' | 'tests' | 'turns'

export type AnalyticsRow = Record<string, unknown>

export type QueryParameter = string | number | boolean | readonly string[]

/**
 * Runs one statement within a turn. Throws `StatementRefused` for what the engine finds wrong with it,
 * `resource_exhausted` when it used up its time, memory or bytes, `unavailable` when the engine died.
 */
export type ReadStatement = (sql: string, options?: QueryOptions) => Promise<EngineTable>

/**
 * As ReadStatement, for the rows a user asked for: the engine bounds and writes them, and nobody parses them on their way.
 * Throws `resource_exhausted` when the result, one of its values or the number of its columns is too large.
 */
export type ReadResult = (sql: string, options: QueryOptions & { rowLimit: number }) => Promise<WrittenTable>

/** 64-bit and wider integers, decimals, NaN and infinities come as text; maps as lists of [key, value]. */
export type EngineTable = {
  columns: { name: string; type: string }[]
  rows: unknown[][]
  statistics: { elapsedSeconds: number; rowsRead: number; bytesRead: number }
}

/** The engine's own words about a statement, unsuited for users as they are; `code` is ClickHouse's number. */
export class StatementRefused extends Error {
  readonly code: number | null

  constructor(message: string, code: number | null) {
    super(message)
    this.code = code
  }
}

/** `parameters` are bound as `{name:Type}` in the statement, never pasted into it. */
export type QueryOptions = { parameters?: Record<string, QueryParameter>; deadlineSeconds?: number }
