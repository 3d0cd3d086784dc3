import { Session } from 'chdb'

import { messageOf } from '#contract/wire/message-of.ts'
import { quoteText } from '#platform/analysis/analytics/clickhouse/layout.ts'

/**
 * The engine behind the test-only ClickHouse server: one chDB process on one folder. `--config-file` defines the rights
 * of its user `default`. Statements arrive over IPC, each in its own session.
 */
export type EngineOptions = { folder: string; configFile: string | null }

export type EngineStatement = {
  id: number
  sql: string
  format: string
  database: string | null
  settings: Record<string, string>
  parameters: Record<string, string>
}

export type EngineResult = { id: number; text: string; isError: boolean }

const options = JSON.parse(process.argv[2] ?? '{}') as EngineOptions

const open = () =>
  new Session(
    options.folder,
    options.configFile === null ? {} : { connectionArgs: [`--config-file=${options.configFile}`] },
  )

async function perform({ sql, format, database, settings, parameters }: EngineStatement) {
  const session = open()
  try {
    if (database !== null) session.query(`USE ${database}`)
    set(session, Object.entries(settings))
    set(
      session,
      Object.entries(parameters).map(([name, value]) => [`param_${name}`, value]),
    )
    const result: { bytes: () => Uint8Array } = await session.queryAsync(sql, { format })
    return new TextDecoder().decode(result.bytes())
  } finally {
    session.close()
  }
}

/** At once, as the server does with the settings of an address: each statement takes a third of a millisecond. */
function set(session: Session, settings: [name: string, value: string][]) {
  if (settings.length > 0)
    session.query(`SET ${settings.map(([name, value]) => `${name} = ${quoteText(value)}`).join(', ')}`)
}

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

const keptOpen = open()
process.on('message', (statement: EngineStatement) => {
  const response = (text: string, isError: boolean) => process.send?.({ id: statement.id, text, isError })
  perform(statement).then(
    (text) => response(text, false),
    (error: unknown) => response(messageOf(error), true),
  )
})
process.send?.({ id: 0, text: keptOpen.path, isError: false })
