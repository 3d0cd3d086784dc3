/** The analytics engine of one organization at a time; nothing outside `analytics/` knows which engine runs. */
export type Analytics = {
  /** Runs one statement over an organization's rows; the rows come back as objects, in order. */
  query: (organizationId: string, sql: string, options?: QueryOptions) => Promise<Record<string, unknown>[]>
  /** Adds rows to a table; the engine holds each row once however often it is sent. */
  insert: (organizationId: string, table: AnalyticsTable, rows: readonly Record<string, unknown>[]) => Promise<void>
  /** Drops an organization's rows, before a reindex. */
  clear: (organizationId: string) => Promise<void>
  close: () => Promise<void>
}

export type AnalyticsTable = 'runs' | 'tests' | 'turns'

/** `parameters` are bound as `{name:Type}` in the statement, never pasted into it. */
export type QueryOptions = { parameters?: Record<string, unknown>; deadlineSeconds?: number }
