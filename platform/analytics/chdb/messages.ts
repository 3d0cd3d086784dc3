import type { AnalyticsTable, QueryParameter } from '#platform/context/analytics.ts'
import type { TableStatistics } from '#platform/context/written-table.ts'

type Statement = { sql: string; parameters: Record<string, QueryParameter>; deadlineSeconds: number }

/**
 * What the platform asks of an engine process: `query` is the platform's own statement, `read` one that a user wrote.
 * Rows travel as JSON in bytes. With a `rowLimit` those bytes are a result, ready for the client.
 */
export type EngineTask =
  | ({ kind: 'query' } & Statement)
  | ({ kind: 'read'; rowLimit?: number | undefined } & Statement)
  | { kind: 'insert'; table: AnalyticsTable; rows: Uint8Array }

/** `send` lets the engine send an answer that it has offered. */
export type EngineRequest = (EngineTask & { id: number }) | { kind: 'send'; id: number }

/** An answer in pieces, each small enough not to block the platform's thread; a result has statistics. */
export type EngineAnswer = { parts: Uint8Array[]; statistics?: TableStatistics | undefined }

/**
 * A large answer is `offered` first: the statement has ended, and its parts wait for the platform to ask for them. `refused`
 * is the engine's own word, with ClickHouse's error number; `too-large` ours.
 */
export type EngineReply =
  | { kind: 'offered'; id: number }
  | { kind: 'part'; id: number; bytes: Uint8Array }
  | { kind: 'done'; id: number; statistics: TableStatistics | undefined }
  | { kind: 'refused'; id: number; message: string; code: number | null }
  | { kind: 'too-large'; id: number; message: string }

/** What an engine process says by itself. */
export type EngineNotice =
  | { kind: 'ready' }
  | { kind: 'cannot-open'; message: string }
  | { kind: 'out-of-memory'; bytes: number }

/** The arguments of an engine process, as JSON in its first argument. */
export type EngineOptions = { folder: string; memoryBytes: number }
