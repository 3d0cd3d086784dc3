import { type ChdbResult, Session } from 'chdb'

import { readerLimits } from '#platform/analysis/analytics/reader-limits.ts'
import {
  maxResponseBytes,
  responseTooLarge,
  resultLimits,
  resultTooLarge,
} from '#platform/analysis/analytics/result-limits.ts'
import { dataSchema, emptyDatabase, tableStatements } from '#platform/analysis/analytics/create-tables.ts'
import { writeTable } from '#platform/analysis/analytics/write-table.ts'
import type { TableStatistics } from '#platform/ground/services/serialized-table.ts'
import { bindParameters } from './bind-parameters.ts'
import type { EngineOptions, EngineTask } from './messages.ts'

/** A larger answer is only sent when the platform has room for it. */
const largeAnswerBytes = 256 * 1024

/** Opens the data folder for the life of the process. A session on an open folder costs a millisecond. */
export function openEngine({ folder }: EngineOptions) {
  const session = new Session(folder)
  session.query(`CREATE DATABASE IF NOT EXISTS ${emptyDatabase} ENGINE = Atomic`)
  session.query(`CREATE DATABASE IF NOT EXISTS ${dataSchema} ENGINE = Atomic`)
  session.query(`USE ${dataSchema}`)
  for (const statement of tableStatements) session.query(statement)
}

export type Performed = { bytes: Uint8Array; statistics?: TableStatistics }

/**
 * Performs one task in its own session, because chDB returns the partial rows of a failed statement with the next
 * statement of the session. Tasks may run concurrently. `onLarge` is called when the engine has a large answer.
 */
export async function performTask(options: EngineOptions, task: EngineTask, onLarge: () => void): Promise<Performed> {
  const session = new Session(options.folder)
  try {
    if (task.kind === 'read') return await read(session, task, options, onLarge)
    session.query(`USE ${dataSchema}`)
    const memory = `max_memory_usage = ${Math.floor(options.memoryBytes / 2)}`
    if (task.kind === 'insert') {
      session.query(`SET ${memory}`)
      await session.insert({ table: task.table, values: task.rows, format: 'JSONEachRow' })
      return { bytes: new Uint8Array() }
    }
    session.query(`SET ${memory}, max_execution_time = ${task.deadlineSeconds}`)
    const bytes = await bytesOf(session, task, 'JSONEachRow')
    if (bytes.length > maxResponseBytes) throw responseTooLarge()
    if (isLarge(bytes)) onLarge()
    return { bytes }
  } finally {
    session.close()
  }
}

type Statement = Extract<EngineTask, { sql: string }>
type Reading = Extract<EngineTask, { kind: 'read' }>

async function read(session: Session, task: Reading, { memoryBytes }: EngineOptions, onLarge: () => void) {
  const limits = readerLimits({ memoryBytes: Math.floor(memoryBytes / 4), seconds: task.deadlineSeconds })
  // `readonly` is last, because no setting can be changed after it.
  const settings = Object.entries({ ...limits, readonly: 1 })
  session.query(`USE ${emptyDatabase}`)
  session.query(`SET ${settings.map(([name, value]) => `${name} = ${value}`).join(', ')}`)
  const bytes = await bytesOf(session, task, 'JSONCompact')
  // The engine does not enforce max_result_bytes itself.
  if (bytes.length > resultLimits.bytes) throw resultTooLarge()
  if (isLarge(bytes)) onLarge()
  if (task.rowLimit === undefined) return { bytes }
  const { json, statistics } = writeTable(bytes, task.rowLimit)
  return { bytes: new TextEncoder().encode(json), statistics }
}

async function bytesOf(session: Session, { sql, parameters }: Statement, format: string) {
  bindParameters(session, parameters)
  const result: ChdbResult = await session.queryAsync(sql, { format })
  return result.bytes()
}

const isLarge = (bytes: Uint8Array) => bytes.length > largeAnswerBytes
