import { type ChdbResult, Session } from 'chdb'

import { analyticsTables, dataSchema } from '#platform/analytics/schema.ts'
import type { EngineNotice, EngineOptions, EngineReply, EngineRequest, EngineTask } from './messages.ts'

/**
 * The whole of one engine process: one organization's data directory, one statement at a time.
 * It holds no key and no environment, so the worst a statement can reach is the rows it was started for.
 */

const { folder, memoryBytes } = JSON.parse(process.argv[2] ?? '{}') as EngineOptions

const memoryCheckMilliseconds = 100

/** Killed, not exited: an exit would wait for the statement that has to be stopped. */
const dieNow = () => process.kill(process.pid, 'SIGKILL')

const send = (message: EngineReply | EngineNotice, sent: () => void = () => {}) => process.send?.(message, sent)

process.on('disconnect', dieNow)
// The platform decides when its engines stop; Ctrl-C reaches the whole process group.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

function openSession() {
  const session = new Session(folder)
  session.query(`CREATE DATABASE IF NOT EXISTS ${dataSchema} ENGINE = Atomic`)
  session.query(`USE ${dataSchema}`)
  for (const table of Object.values(analyticsTables)) session.query(table)
  session.query(`SET max_memory_usage = ${Math.floor(memoryBytes / 2)}`)
  return session
}

async function perform(session: Session, task: EngineTask): Promise<Uint8Array> {
  if (task.kind === 'query') {
    session.query(`SET max_execution_time = ${task.deadlineSeconds}`)
    const result: ChdbResult = await session.queryBindAsync(task.sql, task.parameters, { format: 'JSONEachRow' })
    return result.bytes()
  }
  session.query('SET max_execution_time = 0')
  if (task.kind === 'insert') await session.insert({ table: task.table, values: task.rows, format: 'JSONEachRow' })
  else for (const table of Object.keys(analyticsTables)) await session.queryAsync(`TRUNCATE TABLE ${table}`)
  return new Uint8Array()
}

function toRefusal(id: number, error: unknown): EngineReply {
  const message = error instanceof Error ? error.message : String(error)
  const code = /Code: (\d+)/.exec(message)?.[1]
  return { kind: 'refused', id, message, code: code ? Number(code) : null }
}

function serve(session: Session) {
  process.on('message', (request: EngineRequest) => {
    perform(session, request).then(
      (rows) => send({ kind: 'done', id: request.id, rows }),
      (error: unknown) => send(toRefusal(request.id, error)),
    )
  })
  setInterval(() => {
    const bytes = process.memoryUsage.rss()
    if (bytes > memoryBytes) send({ kind: 'out-of-memory', bytes }, dieNow)
  }, memoryCheckMilliseconds)
  send({ kind: 'ready' })
}

try {
  serve(openSession())
} catch (error) {
  send({ kind: 'cannot-open', message: error instanceof Error ? error.message : String(error) }, dieNow)
}
