import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { Client } from 'pg'

import { type Database, openDatabase, type OpenDatabase } from '#platform/database/open-database.ts'
import { borrowInMemory } from './in-memory-database.ts'

/** A migrated, empty state database: PGlite in memory, or a new database on the server of TEST_DATABASE_URL. */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const server = process.env['TEST_DATABASE_URL']
  const opened = await (server ? openOnServer(server) : borrowInMemory())
  if (process.env['TEST_TRANSACTIONS'] === 'twice') repeatTransactions(opened.db)
  return opened
}

/**
 * Rolls every transaction back once and repeats it, as after a deadlock. All tests must pass this way too:
 * `TEST_TRANSACTIONS=twice vitest run …`.
 */
function repeatTransactions(db: Database) {
  const transact = db.transaction.bind(db)
  const rolledBack = new Error('The transaction is rolled back to be repeated')
  db.transaction = async (work, config) => {
    await transact(async (tx) => {
      await work(tx)
      throw rolledBack
    }, config).catch((error: unknown) => {
      if (error !== rolledBack) throw error
    })
    return transact(work, config)
  }
}

async function openOnServer(server: string): Promise<OpenDatabase> {
  const template = await (templateOnServer ??= makeTemplate(server))
  const name = `assay_test_${randomUUID().replaceAll('-', '')}`
  await administer(server, (client) => client.query(`create database ${name} template ${template}`))
  const { db, close } = await openDatabase({ url: databaseUrl(server, name) })
  return {
    db,
    async close() {
      await close()
      await administer(server, (client) => client.query(`drop database ${name}`))
    },
  }
}

/** Migrated once per server; a copy takes a tenth of the time. */
let templateOnServer: Promise<string> | undefined

const journal = new URL('../database/migrations/meta/_journal.json', import.meta.url)

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
async function administer(server: string, work: (client: Client) => Promise<unknown>) {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
