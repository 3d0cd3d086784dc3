import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { startServerEngines } from './clickhouse-server-engines.ts'
import { createServerUsers, type ServerUsers } from './clickhouse-server-users.ts'

type Credentials = { username: string; password: string }

/** Query parameters of the URL that are not settings. */
const reserved = new Set(['query', 'query_id', 'database', 'default_format', 'wait_end_of_query'])

const isAboutAccess = /^\s*(GRANT|(CREATE|ALTER) (USER|SETTINGS PROFILE|ROW POLICY))\b/i

/**
 * A ClickHouse server for tests: the part of the HTTP interface that the platform uses, in front of chDB. A statement
 * of any other user runs in a separate engine of that user over a copy of all rows; the engine itself enforces grants,
 * row policies and settings. Not supported: clusters, canceling, sessions, compression. `credentials` are those of the
 * platform's own user, with all rights. Rows that `root` holds already are there again; other users are not.
 */
export async function startClickhouseServer({
  root = mkdtempSync(join(tmpdir(), 'assay-clickhouse-')),
  credentials = { username: 'platform', password: randomUUID() },
  host = '127.0.0.1',
  wantedPort = 0,
}: { root?: string; credentials?: Credentials; host?: string; wantedPort?: number } = {}) {
  const users = createServerUsers()
  const accessStatements: string[] = []
  let engines = await startServerEngines(root)

  async function perform(request: IncomingMessage): Promise<string> {
    const url = new URL(request.url ?? '/', 'http://server')
    const body = await text(request)
    const { name, user } = authenticate(users, credentials, request)
    const query = url.searchParams.get('query')
    const statement = { sql: query === null ? body : `${query}\n${body}`, ...readAddress(url) }
    if (user) return engines.performAs(name, user, statement)
    if (!isAboutAccess.test(statement.sql)) return engines.perform(statement)
    const formatted = await engines.format(statement.sql)
    users.apply(formatted)
    accessStatements.push(formatted)
    return ''
  }

  let http = serve(perform)
  const port = await listen(http, host, wantedPort)

  async function stop() {
    const closed = new Promise((done) => http.close(done))
    http.closeAllConnections()
    await closed
    await engines.stop()
  }

  return {
    url: `http://127.0.0.1:${port}`,
    folder: engines.dataFolder,
    credentials,
    /** The access statements received, as the engine formats them. */
    accessStatements,
    stop,
    /** Starts again after `stop`, with the same rows. */
    async startAgain() {
      engines = await startServerEngines(root)
      http = serve(perform)
      await listen(http, host, port)
    },
    async remove() {
      await stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

const serve = (perform: (request: IncomingMessage) => Promise<string>) =>
  createServer({ maxHeaderSize: 1024 ** 2 }, (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/ping') return response.end('Ok.\n')
    perform(request).then(
      (rows) => response.setHeader('X-ClickHouse-Summary', '{}').end(rows),
      (error: Error) => {
        const code = /Code: (\d+)/.exec(error.message)?.[1] ?? '1001'
        response.writeHead(500, { 'X-ClickHouse-Exception-Code': code }).end(`${error.message} (version 26.7.2.1)\n`)
      },
    )
  })

async function listen(http: ReturnType<typeof createServer>, host: string, port: number) {
  await new Promise<void>((listening) => http.listen(port, host, listening))
  const address = http.address()
  return typeof address === 'object' && address ? address.port : 0
}

function authenticate(users: ServerUsers, platformUser: Credentials, request: IncomingMessage) {
  const [, encoded = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? []
  const [name = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  if (name === platformUser.username && password === platformUser.password) return { name, user: null }
  const user = users.find(name)
  if (user && createHash('sha256').update(password).digest('hex') === user.passwordHash) return { name, user }
  throw new Error(`Code: 516. DB::Exception: ${name}: Authentication failed. (AUTHENTICATION_FAILED)`)
}

function readAddress({ searchParams }: URL) {
  const settings: Record<string, string> = {}
  const parameters: Record<string, string> = {}
  for (const [name, value] of searchParams) {
    if (name.startsWith('param_')) parameters[name.slice('param_'.length)] = value
    else if (!reserved.has(name)) settings[name] = value
  }
  const format = searchParams.get('default_format') ?? 'TabSeparated'
  return { settings, parameters, format, database: searchParams.get('database') }
}
