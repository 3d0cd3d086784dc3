import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { quoteText } from '#platform/analysis/analytics/clickhouse/layout.ts'
import type { EngineStatement } from './clickhouse-server-engine.ts'
import { type EngineProcess, startServerEngine } from './clickhouse-server-process.ts'
import type { ServerUser } from './clickhouse-server-users.ts'

export type Statement = Omit<EngineStatement, 'id'>

type Reader = { engine: EngineProcess; madeOf: string; going: Set<Promise<unknown>> }

const isReading = /^\s*(SELECT|WITH|EXPLAIN|DESCRIBE|SHOW)\b/i

/**
 * The engine with all rows, and one engine per user over a copy of them, recreated whenever rows or the user change.
 */
export async function startServerEngines(root: string) {
  const dataFolder = join(root, 'data')
  mkdirSync(dataFolder, { recursive: true })
  const whole = await startServerEngine({ folder: dataFolder, configFile: null })
  const readers = new Map<string, Promise<Reader>>()
  let writes = 0
  let changes: Promise<unknown> = Promise.resolve()

  /** Runs writes and copies one at a time. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = changes.then(work)
    changes = result.catch(() => {})
    return result
  }

  const ask = (sql: string) => whole.perform({ sql, format: 'TSVRaw', database: null, settings: {}, parameters: {} })

  async function copyRows(folder: string) {
    await ask('SYSTEM STOP MERGES')
    const filter = (path: string) => basename(path) !== 'status'
    cpSync(dataFolder, folder, { recursive: true, verbatimSymlinks: true, filter })
    await ask('SYSTEM START MERGES')
  }

  async function startReader(user: ServerUser, madeOf: string): Promise<Reader> {
    const folder = join(root, randomUUID())
    await alone(() => copyRows(folder))
    const [usersFile, configFile] = [join(folder, 'users.xml'), join(folder, 'config.xml')]
    writeFileSync(usersFile, user.toXml())
    writeFileSync(configFile, `<clickhouse><users_config>${usersFile}</users_config></clickhouse>`)
    return { engine: await startServerEngine({ folder, configFile }), madeOf, going: new Set() }
  }

  return {
    dataFolder,
    /** Returns a statement as the engine formats it, which proves that the parser accepts it. */
    format: async (sql: string) => (await ask(`SELECT formatQuerySingleLine(${quoteText(sql)})`)).trim(),
    perform(statement: Statement) {
      if (isReading.test(statement.sql)) return whole.perform(statement)
      writes += 1
      return alone(() => whole.perform(statement))
    },
    async performAs(name: string, user: ServerUser, statement: Statement) {
      const madeOf = `${writes} ${user.toXml()}`
      const reader = (readers.get(name) ?? Promise.resolve(null)).then(async (found) => {
        if (found?.madeOf === madeOf) return found
        if (found) void Promise.allSettled(found.going).then(() => found.engine.stop())
        return startReader(user, madeOf)
      })
      readers.set(name, reader)
      const { engine, going } = await reader
      const response = engine.perform(statement)
      going.add(response)
      return response.finally(() => going.delete(response))
    },
    async stop() {
      await Promise.all([...readers.values()].map(async (reader) => (await reader).engine.stop()))
      await whole.stop()
    },
  }
}
