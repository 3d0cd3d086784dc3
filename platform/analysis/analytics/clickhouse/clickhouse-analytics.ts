import { randomUUID } from 'node:crypto'

import type { Analytics, QueryOptions, ReadResult, ReadStatement } from '#platform/ground/services/analytics.ts'
import {
  EngineError,
  toInsertFailure,
  toReadFailure,
  toUnavailable,
} from '#platform/analysis/analytics/engine-error.ts'
import { createQueryQueue } from '#platform/analysis/analytics/query-queue.ts'
import { userSeconds, readerQueue, secondsFor } from '#platform/analysis/analytics/reader-limits.ts'
import { resultLimits, resultTooLarge } from '#platform/analysis/analytics/result-limits.ts'
import { refuseNul } from '#platform/analysis/analytics/refuse-nul.ts'
import { readRows, readTable, writeRows } from '#platform/analysis/analytics/rows-as-json.ts'
import { dataSchema, emptyDatabase } from '#platform/analysis/analytics/create-tables.ts'
import { SerializedTable } from '#platform/ground/services/serialized-table.ts'
import type { InstallationKeys } from '#platform/ground/installation-keys/installation-keys.ts'
import { openSchema } from './open-schema.ts'
import { openUsers } from './open-users.ts'
import { insertedColumns } from './layout.ts'
import { openServer, type ServerAddress } from './server.ts'
import { tableWriter } from './table-writer.ts'

export type ClickhouseOptions = ServerAddress & {
  /** The cluster's name in `remote_servers`; null for a single server. */
  cluster: string | null
  keys: InstallationKeys
  /** The time limit of a user's statement. */
  readSeconds?: number
}

const queryDeadlineSeconds = 30
const writeDeadlineSeconds = 300

/**
 * The same on every server, whatever its profiles say. A distributed read must apply policies: see
 * access-statements.ts.
 */
const platformSettings = {
  output_format_json_quote_64bit_integers: 0,
  session_timezone: 'UTC',
  distributed_product_mode: 'global',
  serialize_query_plan: 0,
  enable_parallel_replicas: 0,
} as const

/**
 * Replicated tables drop identical blocks, even after their rows were deleted, so each insert has a unique token. Rows
 * are readable in their shards before an insert is acknowledged.
 */
const insertSettings = () => ({
  insert_deduplication_token: randomUUID(),
  async_insert: 0 as const,
  distributed_foreground_insert: 1 as const,
  date_time_input_format: 'best_effort' as const,
  session_timezone: 'UTC',
})

/** UNKNOWN_USER, WRONG_PASSWORD, AUTHENTICATION_FAILED. */
const unknownUser = new Set([192, 193, 516])

/**
 * Analytics in a ClickHouse server or cluster shared by all organizations. The platform's own statements filter by
 * organization. Users' statements run as a user of their organization, whose grants and row policies allow only its
 * rows.
 */
export function clickhouseAnalytics({
  cluster,
  keys,
  readSeconds = userSeconds,
  ...address
}: ClickhouseOptions): Analytics {
  const server = openServer(address)
  const layout = { cluster }
  const schema = openSchema(server, layout, { readSeconds })
  const users = openUsers(server, layout, keys)
  const writer = tableWriter()
  const lanes = new Map<string, ReturnType<typeof createQueryQueue>>()

  function queueOf(organizationId: string) {
    const lane = lanes.get(organizationId) ?? createQueryQueue(readerQueue)
    lanes.set(organizationId, lane)
    return lane
  }

  async function noting<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      schema.noteError(error)
      throw error
    }
  }

  async function readAs(organizationId: string, sql: string, { parameters, deadlineSeconds }: QueryOptions) {
    refuseNul(sql)
    const seconds = Math.min(deadlineSeconds ?? readSeconds, readSeconds)
    const send = async () => {
      const credentials = await users.userOf(organizationId)
      const statement = { sql, seconds, credentials, database: emptyDatabase, ...(parameters && { parameters }) }
      return server.queryTable(statement, resultLimits.bytes, resultTooLarge)
    }
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof EngineError) || !unknownUser.has(error.code ?? 0)) throw error
      await users.renew(organizationId)
      return send()
    }
  }

  const queryText: Analytics['queryText'] = async (organizationId, sql, options = {}) => {
    const { parameters = {}, deadlineSeconds = queryDeadlineSeconds } = options
    refuseNul(sql)
    await schema.requireCurrent(organizationId)
    const settings = { ...platformSettings, max_execution_time: deadlineSeconds }
    const statement = { sql, parameters, settings, database: dataSchema, seconds: deadlineSeconds }
    try {
      return await noting(server.query(statement))
    } catch (error) {
      throw toUnavailable(error)
    }
  }

  return {
    queryText,
    query: async (...asked) => readRows(await queryText(...asked)),
    async insert(_, table, rows) {
      const bytes = writeRows(rows)
      if (bytes.byteLength === 0) return
      await schema.ready()
      const sent = { table: `${dataSchema}.${table}`, columns: insertedColumns(table), rows: bytes }
      try {
        await noting(server.insert({ ...sent, settings: insertSettings(), seconds: writeDeadlineSeconds }))
      } catch (error) {
        throw toInsertFailure(error)
      }
    },
    async remove(organizationId, tables, runIds) {
      if (runIds.length > 0) await noting(schema.remove(organizationId, tables, runIds))
    },
    clear: (organizationId) => schema.clear(organizationId),
    hasNoRows: (organizationId) => schema.hasNoRows(organizationId),
    noteRestored: (organizationId) => schema.noteFilled(organizationId),
    findOutdated: () => schema.findOutdated(),
    withReader: (organizationId, work, origin = 'own') =>
      queueOf(organizationId)(origin, async () => {
        await schema.requireCurrent(organizationId)
        const deadlineSeconds = secondsFor(origin, readSeconds)
        const query = (sql: string, options: QueryOptions) =>
          readAs(organizationId, sql, { deadlineSeconds, ...options })
        const read: ReadStatement = async (sql, options = {}) =>
          inReadersWords(async () => readTable((await query(sql, options)).toString()))
        const readResult: ReadResult = async (sql, { rowLimit, ...options }) =>
          inReadersWords(async () => {
            const { json, statistics } = await writer.write(await query(sql, options), rowLimit)
            return new SerializedTable([json], statistics)
          })
        return work(read, readResult)
      }),
    // The server confines users by grants and row policies.
    findSqlObstacle: async () => null,
    async close() {
      await writer.close()
      await server.close()
    },
  }
}

async function inReadersWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toReadFailure(error)
  }
}
