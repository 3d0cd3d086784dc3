import { mkdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { keepTidy } from './keep-tidy.ts'
import { openPostgres } from './open-postgres.ts'

/** The state database, whichever engine holds it; a transaction has the same shape. */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>

export type OpenDatabase = { db: Database; close: () => Promise<void> }

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

const shared = new WeakSet<Database>()

/** Whether other processes may have the same database open. */
export const isShared = (db: Database) => shared.has(db)

export type DatabaseLocation = { url: string } | { folder: string }

/** Opens the state database and brings it to the newest migration. A folder must already be locked for this process. */
export async function openDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  return 'url' in location ? openServer(location.url) : openPglite(location.folder)
}

async function openServer(url: string): Promise<OpenDatabase> {
  const opened = await openPostgres(url, migrationsFolder)
  shared.add(opened.db)
  return opened
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
  const db = drizzle(client, { casing: 'snake_case' })
  await migrate(db, { migrationsFolder })
  return db
}

/** Longer than a working database needs for an empty query, and short enough for a page that asks every second. */
const healthMs = 800

/** Whether the database answers now. The result always comes within a second. */
export async function isReachable(db: Database): Promise<boolean> {
  const timeout = new AbortController()
  const answer = db.execute(sql`select 1`).then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answer, delay(healthMs, false, timeout)])
  } finally {
    timeout.abort()
  }
}
