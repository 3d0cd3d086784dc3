import { randomUUID } from 'node:crypto'

import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { organizations } from '#platform/ground/database/tables/identity.ts'
import { openTestDatabase } from '#platform/program/testing/test-database.ts'
import { clockNow } from './clock.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'

let database: OpenDatabase
beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(() => database.close())

const server = process.env['TEST_DATABASE_URL']

test('an instant keeps its microseconds through a write, a read and a comparison', async () => {
  const createdAt = '2026-01-02T03:04:05.678901Z'
  const id = randomUUID()
  await database.db.insert(organizations).values({ id, slug: id, name: 'x', createdAt })
  const [row] = await database.db.select().from(organizations).where(eq(organizations.createdAt, createdAt))
  expect(row?.createdAt).toBe(createdAt)
})

test('instants sort in the same order as text and as times: each has six fractional digits', async () => {
  const texts = ['05Z', '05.12Z', '05.123Z', '05.123001Z', '05.12301Z'].map((seconds) => `2026-01-02T03:04:${seconds}`)
  for (const createdAt of texts) {
    const id = randomUUID()
    await database.db.insert(organizations).values({ id, slug: id, name: 'x', createdAt })
  }
  const rows = await database.db.select().from(organizations).orderBy(organizations.createdAt)
  const read = rows.map(({ createdAt }) => createdAt)
  expect(read.map((text) => text.length)).toEqual(texts.map(() => '2026-01-02T03:04:05.678901Z'.length))
  expect(read.toSorted()).toEqual(read)
})

test('the database clock returns RFC 3339 in UTC', async () => {
  expect(await clockNow(database.db)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
})

test.skipIf(!server)(
  'idle connections that the server drops are replaced, and the process continues (PostgreSQL only)',
  async () => {
    const { db } = database
    // Several at once, so that the pool has idle connections to lose.
    await Promise.all(Array.from({ length: 5 }, () => db.execute(sql`select pg_sleep(0.05)`)))
    await db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await expect
      .poll(() =>
        clockNow(db).then(
          () => 'answers',
          () => 'refuses',
        ),
      )
      .toBe('answers')
  },
)

test.skipIf(!server)(
  'two servers that start at once on an empty database both find it migrated (PostgreSQL only)',
  async () => {
    const name = `assay_start_${randomUUID().replaceAll('-', '')}`
    await database.db.execute(sql.raw(`create database ${name}`))
    const url = new URL(server ?? '')
    url.pathname = `/${name}`
    const both = await Promise.all([openDatabase({ url: url.href }), openDatabase({ url: url.href })])
    expect(await Promise.all(both.map(({ db }) => db.$count(organizations)))).toEqual([0, 0])
    await Promise.all(both.map(({ close }) => close()))
    await database.db.execute(sql.raw(`drop database ${name}`))
  },
)

test('the clock never goes back: with the machine’s clock an hour behind, later changes still have later times', async () => {
  const before = await clockNow(database.db)
  // Simulates a machine whose clock was an hour ahead and was just corrected.
  await database.db.execute(sql`select setval('steady_clock', nextval('steady_clock') + 3600000000)`)
  const stamps = [before]
  for (let call = 0; call < 5; call += 1) stamps.push(await clockNow(database.db))
  expect(stamps.toSorted()).toEqual(stamps)
  expect(new Set(stamps).size).toBe(stamps.length)
})
