import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

import { PGlite } from '@electric-sql/pglite'
import { drizzle as drizzleServer } from 'drizzle-orm/node-postgres'
import { migrate as migrateServer } from 'drizzle-orm/node-postgres/migrator'
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite'
import { migrate as migrateEmbedded } from 'drizzle-orm/pglite/migrator'
import { Client } from 'pg'

import { copyFolder, copyInitialized } from './kept-state.ts'
import { keptTemplate } from './kept-template.ts'

/** What an earlier release stored and answered, as `tools/record-release.mjs` wrote it. */
export type Release = {
  name: string
  key: string
  publicPath: string
  /** Without `sent` it is a GET. */
  answers: { path: string; sent?: object; body: unknown }[]
  migrations: number
  tables: Record<string, Record<string, unknown>[]>
  /** Base64 by path below the data folder. */
  files: Record<string, string>
}

const migrationsFolder = fileURLToPath(new URL('../../ground/database/migrations', import.meta.url))

export const readRelease = (file: string) => JSON.parse(gunzipSync(readFileSync(file)).toString()) as Release

/** Writes the files of a release into a data folder, and its rows into a database with the tables of that time. */
export async function restoreRelease(release: Release, dataFolder: string, databaseUrl: string | undefined) {
  for (const [name, bytes] of Object.entries(release.files)) {
    const path = join(dataFolder, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, Buffer.from(bytes, 'base64'), { mode: 0o600 })
  }
  if (databaseUrl) return restoreOnServer(release, databaseUrl)
  const state = await keptTemplate(`state-of-${release.name}-${release.migrations}`, (folder) =>
    restoreEmbedded(release, folder),
  )
  copyFolder(state, join(dataFolder, 'state'))
}

async function restoreEmbedded(release: Release, folder: string) {
  await copyInitialized(folder)
  const client = await PGlite.create({ dataDir: folder })
  await withEarlierMigrations(release, (migrationsFolder) =>
    migrateEmbedded(drizzleEmbedded(client), { migrationsFolder }),
  )
  await insertRows(release, (statement, values) => client.query(statement, values))
  await client.close()
}

async function restoreOnServer(release: Release, url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  await withEarlierMigrations(release, (migrationsFolder) => migrateServer(drizzleServer(client), { migrationsFolder }))
  await insertRows(release, (statement, values) => client.query(statement, values))
  await client.end()
}

async function insertRows({ tables }: Release, query: (statement: string, values?: unknown[]) => Promise<unknown>) {
  // The rows are those of a consistent database, so neither triggers nor the order of tables matter.
  await query('set session_replication_role = replica')
  for (const [table, rows] of Object.entries(tables)) {
    const names = Object.keys(rows[0] ?? {}).filter((name) => !ofTheCluster.has(name))
    const columns = names.map((name) => `"${name}"`).join(', ')
    const given = `jsonb_populate_recordset(null::"${table}", $1::jsonb)`
    await query(`insert into "${table}" (${columns}) select ${columns} from ${given}`, [JSON.stringify(rows)])
  }
  await query('set session_replication_role = origin')
  if (tables['analytics_outbox'])
    await query(`select setval('analytics_outbox_id_seq', (select max(id) from analytics_outbox))`)
}

/** Columns with transaction ids, which mean nothing in another cluster. */
export const ofTheCluster: ReadonlySet<string> = new Set(['changed_in'])

/** Calls `migrate` with a folder of the migrations that the release had. */
async function withEarlierMigrations({ migrations }: Release, migrate: (folder: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-migrations-'))
  const journal = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  const entries = journal.entries.slice(0, migrations)
  await mkdir(join(folder, 'meta'))
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  for (const { tag } of entries) await cp(join(migrationsFolder, `${tag}.sql`), join(folder, `${tag}.sql`))
  await migrate(folder).finally(() => rm(folder, { recursive: true }))
}
