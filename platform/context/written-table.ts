import type { ResultTable } from '#contract/queries.ts'

/** What the engine did for a result. */
export type TableStatistics = { elapsedSeconds: number; rowsRead: number; bytesRead: number }

/**
 * The result of a user's statement as text that is ready to be sent. Requests of everybody are served by the thread that
 * holds it, so it is read there only where it is known to be small.
 */
export class WrittenTable {
  /** Together the fields columns, rows, rowCount and truncated as JSON, without the braces around them. */
  readonly parts: readonly Uint8Array[]
  readonly statistics: TableStatistics
  readonly bytes: number

  constructor(parts: readonly Uint8Array[], statistics: TableStatistics) {
    this.parts = parts
    this.statistics = statistics
    this.bytes = parts.reduce((sum, part) => sum + part.length, 0)
  }

  read(): Omit<ResultTable, 'statistics'> {
    return JSON.parse(`{${Buffer.concat(this.parts).toString()}}`) as Omit<ResultTable, 'statistics'>
  }

  /** So that a test which looks for words in an answer looks at its rows too. */
  toJSON() {
    return { ...this.read(), statistics: this.statistics }
  }
}
