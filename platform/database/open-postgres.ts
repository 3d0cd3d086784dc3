import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client, Pool } from 'pg'

import type { Database } from './open-database.ts'
import { readOutage } from '#platform/failures/outage.ts'

const seconds = (count: number) => count * 1000

/**
 * The server itself ends what takes longer, so a frozen or vanished process of ours cannot keep the others waiting:
 * its transaction is rolled back and its locks are free again after the idle limit. A waiting lock outlasts that limit.
 */
const limits = {
  statement_timeout: seconds(120),
  lock_timeout: seconds(15),
  idle_in_transaction_session_timeout: seconds(5),
  // For a server that is frozen or unreachable, and so cannot end anything itself.
  query_timeout: seconds(130),
  connectionTimeoutMillis: seconds(10),
  keepAlive: true,
}

/** A migration may rewrite a large table, and waits for another server's. */
const migrationLimits = { keepAlive: true, connectionTimeoutMillis: seconds(10) }

/** Any fixed number: every API server takes the same lock before it migrates. */
const migrationLock = 4401

/** Brings the database to its newest migration and opens a pool of connections to it. */
export async function openPostgres(url: string, migrationsFolder: string) {
  await migrateServer(url, migrationsFolder)
  const pool = new Pool({ connectionString: url, max: 10, ...limits })
  const complain = (error: Error) => console.error('A database connection was lost:', error.message)
  // The pool replaces a connection that breaks. Without these listeners the event would end the process: the first hears
  // of idle connections, the second of those in use.
  pool.on('error', complain)
  pool.on('connect', (client) => client.on('error', complain))
  const db: Database = drizzle(pool, { casing: 'snake_case' })
  return { db: Object.assign(db, { transaction: transactionsOf(pool) }), close: () => pool.end() }
}

/** Drizzle's own would keep the connection for ever when `begin` fails, and hand on one whose query never returned. */
function transactionsOf(pool: Pool): Database['transaction'] {
  return async (work, config) => {
    const client = await pool.connect()
    let isBroken = false
    try {
      return await drizzle(client, { casing: 'snake_case' }).transaction(work, config)
    } catch (error) {
      isBroken = readOutage(error) !== null
      throw error
    } finally {
      client.release(isBroken)
    }
  }
}

async function migrateServer(url: string, migrationsFolder: string) {
  const client = new Client({ connectionString: url, ...migrationLimits })
  client.on('error', (error) => console.error('The migration lost its database connection:', error.message))
  await client.connect()
  try {
    // A server that is frozen meanwhile must not keep the lock for ever.
    await client.query(
      `select set_config(name, '60s', false) from pg_settings
      where name in ('idle_session_timeout', 'idle_in_transaction_session_timeout')`,
    )
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await migrate(drizzle(client, { casing: 'snake_case' }), { migrationsFolder })
  } finally {
    await client.end()
  }
}
