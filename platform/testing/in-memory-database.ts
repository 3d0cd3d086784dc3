import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'

import { PGlite } from '@electric-sql/pglite'

import { migrateEmbedded, type OpenDatabase } from '#platform/database/open-database.ts'
import { keptTemplate } from './kept-template.ts'

/** More than a test file has open at once; the others are closed. */
const maxIdle = 2

/** Empty databases that no test uses. Making one takes most of a second, emptying one a few milliseconds. */
const idle: PGlite[] = []

/** Read once per process; a copy takes a fifth of the time. */
let migrated: Promise<Blob> | undefined

/** The schema of a database that no test has changed. */
let untouched: string | undefined

/** An empty database in memory, which goes to the next test file once it is closed. */
export async function borrowInMemory(): Promise<OpenDatabase> {
  const client = idle.pop() ?? (await PGlite.create({ loadDataDir: await (migrated ??= readMigrated()) }))
  untouched ??= await describeSchema(client)
  const loan = lend(client)
  return {
    db: await migrateEmbedded(loan.client),
    async close() {
      loan.end()
      await takeBack(client)
    },
  }
}

const readMigrated = async () => openAsBlob(await keptTemplate('state.tar', makeMigrated))

async function makeMigrated(file: string) {
  const client = await PGlite.create()
  await migrateEmbedded(client)
  const dump = await client.dumpDataDir('none')
  await client.close()
  await writeFile(file, dump.stream())
}

/** After `end` every use throws, as with a closed database, so that nothing left of one test reaches the next. */
function lend(client: PGlite) {
  let hasEnded = false
  const borrowed = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...given: unknown[]): unknown => {
        if (hasEnded) throw new Error('The test has closed this database')
        return Reflect.apply(value, target, given)
      }
    },
  })
  return { client: borrowed, end: () => (hasEnded = true) }
}

async function takeBack(client: PGlite) {
  if (idle.length >= maxIdle || !(await isEmptied(client))) return client.close()
  idle.push(client)
}

/** For a program that ends: an open database keeps its process alive. */
export async function closeIdleDatabases() {
  for (const client of idle.splice(0)) await client.close()
}

/** Whether the database is as new. A test may have closed it, broken it or changed its schema. */
async function isEmptied(client: PGlite): Promise<boolean> {
  if (client.closed) return false
  try {
    // Ends a transaction that a test left open, and its settings, locks and temporary tables.
    await client.exec('rollback')
    await client.exec('discard all')
    if ((await describeSchema(client)) !== untouched) return false
    const used = await usedTables(client)
    // In this role no trigger refuses, and the order of the tables does not matter.
    await client.exec('set session_replication_role = replica')
    for (const table of used) await client.exec(`delete from ${table}`)
    await client.exec('reset session_replication_role')
    for (const table of used) await client.exec(`vacuum ${table}`)
    await client.exec(`select setval(oid::regclass, 1, false) from pg_class where relkind = 'S'`)
    return true
  } catch {
    return false
  }
}

const ownTables = `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`

async function usedTables(client: PGlite) {
  const { rows: tables } = await client.query<{ name: string }>(ownTables)
  const isUsed = tables.map(({ name }) => `select '${name}' as name where exists (select from ${name})`)
  const { rows } = await client.query<{ name: string }>(isUsed.join(' union all '))
  return rows.map(({ name }) => name)
}

async function describeSchema(client: PGlite) {
  const { rows } = await client.query<{ schema: string }>(`
    select string_agg(part, e'\\n' order by part) as schema from (
      select concat_ws(' ', table_schema, table_name, column_name, data_type, is_nullable, column_default) as part
        from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema')
      union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled, md5(pg_get_triggerdef(oid)))
        from pg_trigger where not tgisinternal
      union all select concat_ws(' ', proname, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
        where connamespace = 'public'::regnamespace
    ) as parts`)
  return rows[0]?.schema ?? ''
}
