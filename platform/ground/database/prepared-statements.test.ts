import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { prepareStatements } from './prepared-statements.ts'

let client: PGlite
let db: ReturnType<typeof drizzle>

beforeAll(async () => {
  client = await PGlite.create()
  await client.exec('create table items (id int primary key, name text)')
  const prepared: Pick<PGlite, 'query'> = prepareStatements(client)
  db = drizzle(prepared as PGlite)
})

afterAll(() => client.close())

const names = async () => (await db.execute(sql`select name from items order by id`)).rows.map(({ name }) => name)

describe('statements that are prepared once', () => {
  test.each([
    sql`select 1::int as a, 2::bigint as b, 1.50::numeric as c, 'é'::text as d, true as e, null::text as f`,
    sql`select '{"a": [1, null]}'::jsonb as a, '[]'::json as b, '2026-11-23T10:00:00.123456Z'::timestamptz as c`,
    sql`select array['a', 'b,"c', null]::text[] as a, array[1, 2]::int[] as b, '{}'::text[] as c, '\\x00ff'::bytea as d`,
    sql`select ${'it"s'}::text as a, ${7}::int as b, ${null}::text as c, ${true}::boolean as d, ${JSON.stringify({ x: 1 })}::jsonb as e`,
    sql`select ${sql.param(['x', 'y"'])}::text[] as a, ${sql.param([1, 2])}::int[] as b`,
    sql`select 1 as a where false`,
  ])('prepared statements read and write values of each type as PGlite’s own query does: %#', async (statement) => {
    const { rows } = await drizzle(client).execute(statement)
    for (const time of ['first', 'second']) expect((await db.execute(statement)).rows, time).toEqual(rows)
  })

  test('a prepared statement returns current rows, whatever its values and however often it runs', async () => {
    for (const id of [1, 2, 3]) await db.execute(sql`insert into items values (${id}, ${`item ${id}`})`)
    expect(await names()).toEqual(['item 1', 'item 2', 'item 3'])
    await db.execute(sql`update items set name = ${'second'} where id = ${2}`)
    expect(await names()).toEqual(['item 1', 'second', 'item 3'])
    await db.execute(sql`delete from items`)
    expect(await names()).toEqual([])
  })

  test('checks of foreign keys in a transaction are planned once, not for every row', async () => {
    await client.exec(`create table wide (id int primary key, ${Array.from({ length: 30 }, (_, at) => `c${at} int`).join()});
      ${Array.from({ length: 30 }, (_, at) => `create index on wide (c${at})`).join(';')};
      insert into wide (id) values (1);
      create table checked (wide_id int references wide (id)); create table unchecked (wide_id int);
      set plan_cache_mode = force_custom_plan`)
    const insertInto = async (table: string) => {
      const before = process.threadCpuUsage()
      await db.transaction(async (tx) => {
        await tx.execute(sql`insert into ${sql.identifier(table)} select 1 from generate_series(1, 5000)`)
      })
      return process.threadCpuUsage(before).user
    }
    const compare = async () => (await insertInto('checked')) / (await insertInto('unchecked'))
    const ratios = [await compare(), await compare(), await compare()]
    expect(Math.min(...ratios)).toBeLessThan(22)
    expect((await client.query('show plan_cache_mode')).rows).toEqual([{ plan_cache_mode: 'force_custom_plan' }])
  })

  test('at most 300 statements stay prepared, and an evicted one works again', async () => {
    for (let at = 0; at < 700; at++) {
      const { rows } = await db.execute(sql.raw(`select ${at} as at`))
      expect(rows).toEqual([{ at }])
    }
    expect((await db.execute(sql.raw('select 0 as at'))).rows).toEqual([{ at: 0 }])
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from pg_prepared_statements')
    expect(rows[0]?.count).toBeLessThanOrEqual(301)
  })

  test('a very long statement runs and does not stay prepared', async () => {
    const ids = Array.from({ length: 4000 }, (_, at) => sql`(${at}::int)`)
    const long = sql`select count(*)::int as count from (values ${sql.join(ids, sql`, `)}) as ids`
    for (let time = 0; time < 2; time++) expect((await db.execute(long)).rows).toEqual([{ count: 4000 }])
    const { rows } = await client.query(`select 1 from pg_prepared_statements where length(statement) > 10000`)
    expect(rows).toEqual([])
  })

  test('statements run after a refused one', async () => {
    const insert = (id: number) => db.execute(sql`insert into items values (${id}, 'only once')`)
    await insert(1)
    await expect(insert(1)).rejects.toMatchObject({ cause: { code: '23505', constraint: 'items_pkey' } })
    await expect(db.execute(sql`select nothing from items`)).rejects.toMatchObject({ cause: { code: '42703' } })
    await expect(db.execute(sql`select ${'x'}::int`)).rejects.toMatchObject({ cause: { code: '22P02' } })
    await insert(2)
    expect(await names()).toEqual(['only once', 'only once'])
    await db.execute(sql`delete from items`)
  })

  test('a failed transaction leaves no rows', async () => {
    const failing = db.transaction(async (tx) => {
      await tx.execute(sql`insert into items values (${1}, 'rolled back')`)
      await tx.transaction(async (inner) => {
        await inner.execute(sql`insert into items values (${1}, 'again')`)
      })
    })
    await expect(failing).rejects.toThrow()
    expect(await names()).toEqual([])
  })

  test('a statement outside a transaction waits for its end, and none runs in an ended transaction', async () => {
    let alone: Promise<unknown> | undefined
    let ended: Pick<typeof db, 'execute'> | undefined
    const seen: string[] = []
    await db.transaction(async (tx) => {
      ended = tx
      alone = names().then((found) => seen.push(`alone: ${found.length}`))
      for (const id of [1, 2]) await tx.execute(sql`insert into items values (${id}, 'both')`)
      seen.push('transaction')
    })
    await alone
    expect(seen).toEqual(['transaction', 'alone: 2'])
    await expect(ended?.execute(sql`delete from items`)).rejects.toMatchObject({
      cause: { message: 'Transaction is closed' },
    })
    await db.execute(sql`delete from items`)
  })

  test('prepared statements follow a new column and a new index', async () => {
    const insert = (id: number) => db.execute(sql`insert into items (id, name) values (${id}, 'kept') returning id`)
    await insert(1)
    await client.exec('alter table items add column later int default 5; create index on items (name)')
    await insert(2)
    expect(await names()).toEqual(['kept', 'kept'])
  })
})
