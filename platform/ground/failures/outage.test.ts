import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { organizations } from '#platform/ground/database/tables/identity.ts'
import { openTestDatabase } from '#platform/program/testing/test-database.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import type { Database, OpenDatabase } from '#platform/ground/database/open-database.ts'
import { readOutage } from './outage.ts'

const server = process.env['TEST_DATABASE_URL']

test.each([
  ['ECONNREFUSED', 'unavailable'],
  ['57P01', 'unavailable'],
  ['55P03', 'unavailable'],
  ['57014', 'unavailable'],
  ['53100', 'resource_exhausted'],
  ['ENOSPC', 'resource_exhausted'],
])('the error code %s, however deep in the causes, becomes %s with a message', (code, expected) => {
  const cause = Object.assign(new Error('refused'), { code })
  const outage = readOutage(new Error('Failed query', { cause: new Error('again', { cause }) }))
  expect(outage?.code).toBe(expected)
  expect(outage?.message).toMatch(/^[A-Z].* [a-z]+/)
})

test('an error of the statement or of the program is not an outage', () => {
  const violation = Object.assign(new Error('duplicate key'), { code: '23505' })
  for (const error of [violation, new TypeError('x is not a function'), 'text', undefined])
    expect(readOutage(error)).toBeNull()
})

describe('a database outage', () => {
  let platform: TestPlatform
  let working: Database
  const pools: Pool[] = []
  beforeAll(async () => {
    platform = await openTestPlatform()
    working = platform.services.db
  })
  afterEach(async () => {
    platform.services.db = working
    await Promise.all(pools.splice(0).map((pool) => pool.end()))
  })
  afterAll(() => platform.close())

  const connectTo = (port: number) => {
    const pool = new Pool({ connectionString: `postgres://x@127.0.0.1:${port}/x`, connectionTimeoutMillis: 5000 })
    pools.push(pool)
    platform.services.db = drizzle(pool, { casing: 'snake_case' })
  }

  test('a platform whose database is down answers 503 unavailable, also at /healthz, and recovers with it', async () => {
    connectTo(1)
    const answer = await platform.request('GET', '/runs')
    expect([answer.status, answer.json.error]).toEqual([503, 'unavailable'])
    expect(answer.json.message).toContain('The database does not answer')
    expect(await platform.visit('/healthz')).toMatchObject({ status: 503, text: '{"status":"unavailable"}' })
    platform.services.db = working
    expect((await platform.request('GET', '/runs')).status).toBe(200)
    expect((await platform.visit('/healthz')).status).toBe(200)
  })

  test('a platform whose database accepts connections but never answers still answers at /healthz', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    connectTo((silent.address() as AddressInfo).port)
    expect((await platform.visit('/healthz')).status).toBe(503)
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
})

describe.skipIf(!server)('a connection to PostgreSQL', () => {
  let database: OpenDatabase
  beforeAll(async () => {
    database = await openTestDatabase()
  })
  afterAll(() => database.close())

  const cutOthers = () =>
    database.db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )

  test('a PostgreSQL connection lost between two statements of a transaction fails only that transaction', async () => {
    for (let round = 0; round < 12; round += 1) {
      const failed = database.db.transaction(async (tx) => {
        await tx.execute(sql`select 1`)
        await cutOthers()
        await tx.execute(sql`select 2`)
      })
      const error: unknown = await failed.then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(readOutage(error)?.code).toBe('unavailable')
    }
    // More rounds than the pool has connections, so a broken connection in the pool would be used.
    expect(await database.db.$count(organizations)).toBe(0)
  })

  test('a PostgreSQL connection limits statements, locks and idle transactions', async () => {
    const { rows } = (await database.db.execute(
      sql`select name, setting from pg_settings where name like '%_timeout'`,
    )) as unknown as { rows: { name: string; setting: string }[] }
    const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))
    expect(settings['statement_timeout']).toBeGreaterThanOrEqual(60_000)
    expect(settings['idle_in_transaction_session_timeout']).toBeLessThanOrEqual(5000)
    expect(settings['lock_timeout']).toBeGreaterThan(settings['idle_in_transaction_session_timeout'] ?? Infinity)
  })
})
