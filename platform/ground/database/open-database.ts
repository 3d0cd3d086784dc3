import { mkdir, readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'

import { collectGarbage } from '#platform/ground/processes/collect-garbage.ts'
import { compilePglite } from './compile-pglite.ts'
import { copyWhileOpen } from './copy-while-open.ts'
import { openPostgres } from './open-postgres.ts'
import { isCurrent, nameOfNewest } from './is-current.ts'
import { keepTidy } from './keep-tidy.ts'
import { type EmbeddedClient, prepareStatements } from './prepared-statements.ts'
import { finishGroups, settingsOfGroups } from './unfinished-groups.ts'

/** The state database, in either engine. A transaction has the same type. */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>

export type OpenDatabase = {
  db: Database
  /** Copies the files of an embedded database as of one moment. No statement runs at its end. Absent for a server. */
  copyTo?: (folder: string) => Promise<void>
  close: () => Promise<void>
}

/** The name of the newest migration of this version. */
export const newestMigration = () => nameOfNewest(migrationsFolder)

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

const shared = new WeakSet<Database>()

/** Whether other processes may have the same database open. */
export const isShared = (db: Database) => shared.has(db)

/**
 * Whether this is an embedded database itself, where everybody waits for the end of a transaction, so that long work is done in
 * parts. In a transaction of either engine it cannot be.
 */
export const isEmbedded = (db: Database) => '$client' in db && !isShared(db)

export type DatabaseLocation = { url: string } | { folder: string }

/** Opens the state database and runs its migrations. The caller must have locked a folder. */
export async function openDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  return 'url' in location ? openServer(location.url) : openPglite(location.folder)
}

async function openServer(url: string): Promise<OpenDatabase> {
  const opened = await openPostgres(url, migrationsFolder)
  shared.add(opened.db)
  return opened
}

const settings = {
  /** Allocated and cleared when the database opens. Pages beyond it come from the operating system's cache of files. */
  shared_buffers: '32MB',
  /** How much of the write-ahead log stays after a checkpoint, to be written over. */
  min_wal_size: '32MB',
  max_wal_size: '64MB',
  /** Sampling runs for the usual hundred values of each column holds up everybody for most of a second. */
  default_statistics_target: '10',
  ...settingsOfGroups,
}

async function openPglite(folder: string): Promise<OpenDatabase> {
  await mkdir(folder, { recursive: true })
  const isNew = (await readdir(folder)).length === 0
  const pgliteWasmModule = await compilePglite()
  const client = await PGlite.create({
    dataDir: folder,
    startParams: [
      ...PGlite.defaultStartParams,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    ...(pgliteWasmModule && { pgliteWasmModule }),
  })
  const db = await finishGroups(client)
    .then(() => migrateEmbedded(client))
    .catch(async (error: unknown) => {
      await client.close()
      throw error
    })
  // PGlite makes a new database in instances of its own, which keep 350 MB beside the heap until a collection.
  if (isNew) collectGarbage()
  const stopTidying = keepTidy(client)
  return {
    db,
    async copyTo(target) {
      await client.exec('checkpoint')
      await copyWhileOpen(folder, target, async (copyChanged) => {
        await client.exec('checkpoint')
        // Like after a kill: what was committed is in the files, and the copy recovers when it is opened.
        await client.runExclusive(copyChanged)
      })
    },
    async close() {
      await stopTidying()
      await client.close()
    },
  }
}

/** Runs the migrations of an embedded database, in memory or in a folder. */
export async function migrateEmbedded(client: PGlite): Promise<Database> {
  // Reading forty migrations takes longer than asking for the newest one.
  if (!(await isCurrent(client, migrationsFolder))) await migrate(drizzle(client), { migrationsFolder })
  // A plan for the given values, as without prepared statements: lists of few and of many rows need different ones.
  await client.exec('set plan_cache_mode = force_custom_plan')
  return onClient(prepareStatements(client))
}

/** Drizzle uses nothing else of a client. One of a transaction opens no transaction in it. */
export const onClient = (client: Pick<EmbeddedClient, 'query'>): Database =>
  drizzle(client as PGlite, { casing: 'snake_case' })

/** The connection of an embedded database. */
export const clientOf = (db: Database) => (db as unknown as { $client: EmbeddedClient }).$client

/** Long enough for an empty query on a working database, and short enough for a page that polls every second. */
const healthMs = 800

/** Whether the database answers. The result always comes within a second. */
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
