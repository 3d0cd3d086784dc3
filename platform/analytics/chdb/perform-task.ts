import { type ChdbResult, Session } from 'chdb'

import { limitsOfReading } from '#platform/analytics/limits-of-reading.ts'
import { analyticsTables, dataSchema, emptyDatabase } from '#platform/analytics/schema.ts'
import { bindParameters } from './bind-parameters.ts'
import type { EngineOptions, EngineTask } from './messages.ts'

/** Opens the data directory for as long as the process lives; a session over an open directory costs a millisecond. */
export function openEngine({ folder }: EngineOptions) {
  const session = new Session(folder)
  session.query(`CREATE DATABASE IF NOT EXISTS ${emptyDatabase} ENGINE = Atomic`)
  session.query(`CREATE DATABASE IF NOT EXISTS ${dataSchema} ENGINE = Atomic`)
  session.query(`USE ${dataSchema}`)
  for (const table of Object.values(analyticsTables)) session.query(table)
}

/**
 * Performs one task in a session of its own: chDB gives what a failed statement had written so far to the next statement
 * of the same session. Tasks may run at once.
 */
export async function performTask(options: EngineOptions, task: EngineTask): Promise<Uint8Array> {
  const session = new Session(options.folder)
  try {
    if (task.kind === 'read') return await read(session, task, options)
    session.query(`USE ${dataSchema}`)
    const memory = `max_memory_usage = ${Math.floor(options.memoryBytes / 2)}`
    if (task.kind === 'insert') {
      session.query(`SET ${memory}`)
      await session.insert({ table: task.table, values: task.rows, format: 'JSONEachRow' })
      return new Uint8Array()
    }
    session.query(`SET ${memory}, max_execution_time = ${task.deadlineSeconds}`)
    return await resultOf(session, task, 'JSONEachRow')
  } finally {
    session.close()
  }
}

type Statement = Extract<EngineTask, { sql: string }>

function read(session: Session, task: Statement, { memoryBytes }: EngineOptions) {
  const limits = limitsOfReading({ memoryBytes: Math.floor(memoryBytes / 4), seconds: task.deadlineSeconds })
  // `readonly` goes last: nothing can be set after it.
  const settings = Object.entries({ ...limits, readonly: 1 })
  session.query(`USE ${emptyDatabase}`)
  session.query(`SET ${settings.map(([name, value]) => `${name} = ${value}`).join(', ')}`)
  return resultOf(session, task, 'JSONCompact')
}

async function resultOf(session: Session, { sql, parameters }: Statement, format: string) {
  bindParameters(session, parameters)
  const result: ChdbResult = await session.queryAsync(sql, { format })
  return result.bytes()
}
