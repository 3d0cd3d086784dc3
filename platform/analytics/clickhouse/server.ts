import { ClickHouseError, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'

import type { AnalyticsRow, QueryParameter } from '#platform/context/analytics.ts'
import { EngineError, timeoutExceeded } from '#platform/analytics/engine-error.ts'
import { AnswerTooLarge, answerBytes, answerTooLarge } from '#platform/analytics/limits-of-results.ts'
import { unavailable } from '#platform/failures/failure.ts'
import { readAnswer, toEngineError } from './read-answer.ts'

export type Credentials = { username: string; password: string }

/** Where a ClickHouse server, or any server of a cluster, takes statements over HTTP, and as whom the platform sends them. */
export type ServerAddress = { url: string; credentials: Credentials }

type ServerStatement = {
  sql: string
  /** How long to wait for the answer; the server is asked to stop by its own settings. */
  seconds: number
  parameters?: Record<string, QueryParameter>
  settings?: ClickHouseSettings
  /** What names without a database mean. */
  database?: string
  /** Another user than the platform's own. */
  credentials?: Credentials
}

type ServerRows = {
  table: string
  columns: [string, ...string[]]
  rows: readonly AnalyticsRow[]
  settings: ClickHouseSettings
  seconds: number
}

/**
 * One server's HTTP interface. What the server refuses is thrown as an EngineError with ClickHouse's number; a server that
 * does not answer as `unavailable`.
 */
export type Server = {
  /** Gives the answer as text in JSONEachRow; empty for a statement without one. Throws AnswerTooLarge. */
  ask: (statement: ServerStatement) => Promise<string>
  /** Gives the answer in JSONCompact, or throws what `tooLarge` makes when it has more than `maxBytes`. */
  askForTable: (statement: ServerStatement, maxBytes: number, tooLarge: () => Error) => Promise<Buffer>
  insert: (rows: ServerRows) => Promise<void>
  close: () => Promise<void>
}

/**
 * Errors of a server that would answer otherwise: NO_FREE_CONNECTION, SOCKET_TIMEOUT, NETWORK_ERROR, ABORTED, TABLE_IS_READ_ONLY,
 * ALL_CONNECTION_TRIES_FAILED, ALL_REPLICAS_ARE_STALE, KEEPER_EXCEPTION.
 */
const troubles = new Set<number | null>([203, 209, 210, 236, 242, 279, 369, 999])

/** Beyond every deadline of ours: each statement has its own. */
const maxRequestMilliseconds = 600_000

const connectionsAtOnce = 32

const graceSeconds = 1

export function openServer({ url, credentials }: ServerAddress): Server {
  const client = createClient({
    url,
    ...credentials,
    application: 'assay',
    request_timeout: maxRequestMilliseconds,
    max_open_connections: connectionsAtOnce,
    // What it would log holds the statements of users.
    log: { level: ClickHouseLogLevel.OFF },
  })
  const tell = tellOnce(url)

  async function attempt<T>(seconds: number, work: (deadline: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = AbortSignal.timeout((seconds + graceSeconds) * 1000)
    try {
      const result = await work(deadline)
      tell(null)
      return result
    } catch (error) {
      if (error instanceof AnswerTooLarge) throw error
      if (error instanceof EngineError && !troubles.has(error.code)) throw error
      if (error instanceof ClickHouseError && !troubles.has(Number(error.code))) throw toEngineError(error)
      if (deadline.aborted) throw new EngineError('The statement did not stop at its deadline', timeoutExceeded)
      tell(error)
      throw unavailable('Analytics cannot be reached; try again in a moment')
    }
  }

  const exec = (statement: ServerStatement, format: string, maxBytes: number, tooLarge: () => Error) =>
    attempt(statement.seconds, async (deadline) => {
      const { sql, parameters, settings, database, credentials } = statement
      // The format travels beside the statement: appended to it, it would become part of what an EXPLAIN explains.
      // Buffered to its end, an answer is whole or an error.
      const beside = { default_format: format, wait_end_of_query: 1, ...(database && { database }) }
      const answer = await client.exec({
        query: sql,
        abort_signal: deadline,
        ignore_error_response: true,
        clickhouse_settings: { ...settings, ...beside } as ClickHouseSettings,
        ...(parameters && { query_params: parameters }),
        ...(credentials && { auth: credentials }),
      })
      return readAnswer(answer, maxBytes, tooLarge)
    })

  return {
    ask: async (statement) => (await exec(statement, 'JSONEachRow', answerBytes, answerTooLarge)).toString(),
    askForTable: (statement, maxBytes, tooLarge) => exec(statement, 'JSONCompact', maxBytes, tooLarge),
    insert: ({ table, columns, rows, settings, seconds }) =>
      attempt(seconds, async (deadline) => {
        const sent = { table, columns, values: [...rows], format: 'JSONEachRow', abort_signal: deadline } as const
        await client.insert({ ...sent, clickhouse_settings: settings })
      }),
    close: () => client.close(),
  }
}

/** Logs that the server does not answer, and that it does again, each once. */
function tellOnce(url: string) {
  let isReachable = true
  return (error: unknown) => {
    if (isReachable === (error === null)) return
    isReachable = error === null
    const reason = error instanceof Error ? error.message || error.name : String(error)
    console.error(`ClickHouse at ${url} ${isReachable ? 'answers again' : `cannot be reached: ${reason}`}`)
  }
}
