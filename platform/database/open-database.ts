import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { drizzle as overPg } from 'drizzle-orm/node-postgres'
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as overPglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { Pool } from 'pg'

import { keepTidy } from './keep-tidy.ts'

/** The state database, whichever engine holds it; a transaction has the same shape. */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>

export type OpenDatabase = { db: Database; close: () => Promise<void> }

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

const shared = new WeakSet<Database>()

/** Whether other processes may have the same database open. */
export const isShared = (db: Database) => shared.has(db)

/** Any fixed number: every API server takes the same lock before it migrates. */
const migrationLock = 4401

export type DatabaseLocation = { url: string } | { folder: string }

/** Opens the state database and brings it to the newest migration. A folder must already be locked for this process. */
export async function openDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  return 'url' in location ? openPostgres(location.url) : openPglite(location.folder)
}

async function openPostgres(url: string): Promise<OpenDatabase> {
  const pool = new Pool({ connectionString: url, max: 10 })
  // The pool replaces a connection that breaks while idle; without a listener the event would end the process.
  pool.on('error', (error) => console.error('A database connection was lost:', error.message))
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await migratePg(overPg(client, { casing: 'snake_case' }), { migrationsFolder })
    await client.query('select pg_advisory_unlock($1)', [migrationLock])
  } finally {
    client.release()
  }
  const db: Database = overPg(pool, { casing: 'snake_case' })
  shared.add(db)
  return { db, close: () => pool.end() }
}

async function openPglite(folder: string): Promise<OpenDatabase> {
  await mkdir(folder, { recursive: true })
  const client = await PGlite.create({ dataDir: folder })
  const db = await migrateEmbedded(client)
  const stopTidying = keepTidy(client)
  return {
    db,
    close() {
      stopTidying()
      return client.close()
    },
  }
}

/** Brings an embedded database, wherever it keeps its rows, to the newest migration. */
export async function migrateEmbedded(client: PGlite): Promise<Database> {
  const db = overPglite(client, { casing: 'snake_case' })
  await migratePglite(db, { migrationsFolder })
  return db
}

/** True once the database answers. */
export async function isReachable(db: Database) {
  await db.execute(sql`select 1`)
  return true
}
