import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

import { Client } from 'pg'

import { openDatabase, type OpenDatabase } from '#platform/ground/database/open-database.ts'
import { emptyDatabase, markOfSchema, type Run } from './empty-database.ts'

/** More than a test file has open at once; the others are dropped. */
const maxIdle = 3

/** The names of empty databases that no test uses. Making one takes five times as long as emptying one. */
const idle: string[] = []

/** The mark of the schema that no test has changed. */
let untouched: string | undefined

/** An empty database on the server, which goes to the next test file once it is closed. */
export async function borrowOnServer(server: string): Promise<OpenDatabase> {
  const name = idle.pop() ?? (await makeDatabase(server))
  const { db, close } = await openDatabase({ url: databaseUrl(server, name) })
  return {
    db,
    async close() {
      await close()
      if (idle.length < maxIdle && (await isAsNew(databaseUrl(server, name)))) idle.push(name)
      else await dropDatabase(server, name)
    },
  }
}

/** Of this test run, whose last process drops what is left. */
const prefix = () => `assay_test_${process.env['TEST_RUN'] ?? 'alone'}_`

async function makeDatabase(server: string): Promise<string> {
  const template = await (templateOnServer ??= makeTemplate(server))
  const name = prefix() + randomUUID().replaceAll('-', '')
  await administer(server, (client) => client.query(`create database ${name} template ${template}`))
  untouched ??= await administer(databaseUrl(server, name), (client) => markOfSchema(runIn(client)))
  return name
}

/** A closed connection is listed for a moment. */
const maxWaits = 20

const otherUsers = `from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`

const hasOtherUsers = async (client: Client) => (await client.query(`select ${otherUsers}`)).rowCount !== 0

const isAsNew = (url: string) =>
  administer(url, async (client) => {
    for (let waits = 0; waits < maxWaits && (await hasOtherUsers(client)); waits += 1) await delay(10)
    // What a test has left running must not write later.
    await client.query(`select pg_terminate_backend(pid) ${otherUsers}`)
    await client.query(`set lock_timeout = '5s'`)
    return emptyDatabase(runIn(client), untouched ?? '')
  })

const dropDatabase = (server: string, name: string) =>
  administer(server, (client) => client.query(`drop database ${name} with (force)`))

const runIn =
  (client: Client): Run =>
  async (statement) =>
    (await client.query<Record<string, unknown>>(statement)).rows

export async function dropIdleOnServer(server: string) {
  for (const name of idle.splice(0)) await dropDatabase(server, name)
}

/** After a test run, whose processes end without dropping what they kept. */
export async function dropDatabasesOfRun(server: string) {
  await administer(server, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix()],
    )
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
  })
}

/** Migrated once per server; a copy takes a tenth of the time. */
let templateOnServer: Promise<string> | undefined

const journal = new URL('../../ground/database/migrations/meta/_journal.json', import.meta.url)

/** An arbitrary fixed number. Several processes of tests share a server; the first one makes the template. */
const templateLock = 4402

/** Named after the migrations, so that a server which outlives this run never lends an old schema. */
async function makeTemplate(server: string): Promise<string> {
  const name = `assay_template_${createHash('sha256').update(readFileSync(journal)).digest('hex').slice(0, 16)}`
  await administer(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [templateLock])
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount) return
    const unfinished = `${name}_unfinished`
    await client.query(`drop database if exists ${unfinished}`)
    await client.query(`create database ${unfinished}`)
    const { close } = await openDatabase({ url: databaseUrl(server, unfinished) })
    await close()
    await client.query(`alter database ${unfinished} rename to ${name}`)
  })
  return name
}

function databaseUrl(server: string, name: string) {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Closing the connection also releases its advisory lock. */
async function administer<Result>(server: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
