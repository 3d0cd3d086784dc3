import type { AnalyticsTable, QueryParameter } from '#platform/analytics/analytics.ts'

/**
 * What the platform asks of an engine process: `query` is the platform's own statement, `read` one that a user wrote.
 * Rows travel as JSON in bytes, parsed once, by whoever reads them.
 */
export type EngineTask =
  | { kind: 'query'; sql: string; parameters: Record<string, QueryParameter>; deadlineSeconds: number }
  | { kind: 'read'; sql: string; parameters: Record<string, QueryParameter>; deadlineSeconds: number }
  | { kind: 'insert'; table: AnalyticsTable; rows: Uint8Array }

export type EngineRequest = EngineTask & { id: number }

/** `code` is ClickHouse's own error number. */
export type EngineReply =
  | { kind: 'done'; id: number; rows: Uint8Array }
  | { kind: 'refused'; id: number; message: string; code: number | null }

/** What an engine process says by itself. */
export type EngineNotice =
  | { kind: 'ready' }
  | { kind: 'cannot-open'; message: string }
  | { kind: 'out-of-memory'; bytes: number }

/** The arguments of an engine process, as JSON in its first argument. */
export type EngineOptions = { folder: string; memoryBytes: number }
