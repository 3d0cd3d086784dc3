import type { AnalyticsTable } from '#contract/sql-tables.ts'
import type { QueryParameter } from '#platform/ground/services/analytics.ts'
import type { TableStatistics } from '#platform/ground/services/serialized-table.ts'

type Statement = { sql: string; parameters: Record<string, QueryParameter>; deadlineSeconds: number }

/**
 * A task for an engine process: `query` is the platform's own statement, `read` a user's. Rows are JSON bytes. With a
 * `rowLimit` those bytes are a complete result for the client.
 */
export type EngineTask =
  | ({ kind: 'query' } & Statement)
  | ({ kind: 'read'; rowLimit?: number | undefined } & Statement)
  | { kind: 'insert'; table: AnalyticsTable; rows: Uint8Array }

/** `send` allows the engine to send an answer that it has offered. */
export type EngineRequest = (EngineTask & { id: number }) | { kind: 'send'; id: number }

/** An answer in parts, each small enough not to block the platform's thread. A result has statistics. */
export type EngineResult = { parts: Uint8Array[]; statistics?: TableStatistics | undefined }

/**
 * A large answer is `offered` first: the statement has ended, and its parts wait until the platform asks for them.
 * `refused` has the engine's own message and ClickHouse's error number; `too-large` is our message.
 */
export type EngineReply =
  | { kind: 'offered'; id: number }
  | { kind: 'part'; id: number; bytes: Uint8Array }
  | { kind: 'done'; id: number; statistics: TableStatistics | undefined }
  | { kind: 'refused'; id: number; message: string; code: number | null }
  | { kind: 'too-large'; id: number; message: string }

/** Messages that an engine process sends without a request. */
export type EngineNotice =
  | { kind: 'ready' }
  | { kind: 'cannot-open'; message: string }
  | { kind: 'out-of-memory'; bytes: number }

/** The arguments of an engine process, as JSON in its first argument. */
export type EngineOptions = { folder: string; memoryBytes: number }
