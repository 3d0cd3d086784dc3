import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'

import type { Database } from '#platform/ground/database/open-database.ts'
import { openTestDatabase } from './test-database.ts'

/** Uses a database as a test file does, then lends it to the next one. */
async function use<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const { db, close } = await openTestDatabase()
  try {
    return await work(db)
  } finally {
    await close()
  }
}

async function ask(db: Database, statement: string) {
  const { rows } = (await db.execute(sql.raw(statement))) as unknown as { rows: Record<string, unknown>[] }
  return rows
}

const addOrganization = `insert into organizations (id, slug, name) values (gen_random_uuid(), 'lab', 'Lab')`
const sequences = `select last_value from pg_sequences where schemaname = 'public' and last_value is not null`

test('the next test file finds no row of the one before, and sequences start again', async () => {
  await use(async (db) => {
    await ask(db, addOrganization)
    await ask(db, `select nextval(oid::regclass) from pg_class where relkind = 'S'`)
    expect(await ask(db, sequences)).not.toEqual([])
  })
  await use(async (db) => {
    expect(await ask(db, 'select slug from organizations')).toEqual([])
    expect(await ask(db, sequences)).toEqual([])
  })
})

test.each([
  ['a column', 'alter table organizations add column extra text', 'select extra from organizations'],
  ['a table', 'create table extra (id int)', 'select id from extra'],
  ['a function', `create function extra() returns int language sql as 'select 1'`, 'select extra()'],
  ['a view', 'create view extra as select 1 as id', 'select id from extra'],
])('the next test file does not find %s that the one before added', async (_, change, question) => {
  await use(async (db) => {
    await ask(db, change)
    await ask(db, question)
  })
  await use(async (db) => {
    await expect(ask(db, question)).rejects.toThrow(/Failed query/)
  })
})

test('the next test file has the triggers that the one before turned off', async () => {
  const off = `select tgname from pg_trigger where not tgisinternal and tgenabled = 'D'`
  await use(async (db) => {
    const [trigger] = await ask(db, `select tgrelid::regclass as name from pg_trigger where not tgisinternal limit 1`)
    await ask(db, `alter table ${String(trigger?.['name'])} disable trigger all`)
    expect(await ask(db, off)).not.toEqual([])
  })
  await use(async (db) => expect(await ask(db, off)).toEqual([]))
})

test('a test cannot use a database after it closed it', async () => {
  const { db, close } = await openTestDatabase()
  await close()
  await expect(ask(db, 'select 1')).rejects.toThrow(/Failed query/)
})
