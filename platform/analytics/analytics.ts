/** The analytics engine, one organization at a time; nothing outside `analytics/` knows which engine runs. */
export type Analytics = {
  /**
   * Runs one statement over an organization's rows and gives its rows as objects, in order.
   * Throws `unavailable` when the engine died, ran out of memory or passed the deadline.
   */
  query: (organizationId: string, sql: string, options?: QueryOptions) => Promise<AnalyticsRow[]>
  /**
   * Adds rows to a table; the engine holds each row once however often it is sent.
   * Throws `RefusedRows` when it would refuse the same rows again, another error when trying again may help.
   */
  insert: (organizationId: string, table: AnalyticsTable, rows: readonly AnalyticsRow[]) => Promise<void>
  /** Drops an organization's rows, before a reindex. */
  clear: (organizationId: string) => Promise<void>
  /** Stops every engine this process started. */
  close: () => Promise<void>
}

/** Something in the rows themselves cannot be held. The message holds no part of them: it goes to the log. */
export class RefusedRows extends Error {}

export type AnalyticsTable = 'runs' | 'tests' | 'turns'

export type AnalyticsRow = Record<string, unknown>

export type QueryParameter = string | number | boolean | readonly string[]

/** `parameters` are bound as `{name:Type}` in the statement, never pasted into it. */
type QueryOptions = { parameters?: Record<string, QueryParameter>; deadlineSeconds?: number }
