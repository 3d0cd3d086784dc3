import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { type OpenDatabase, openDatabase } from './open-database.ts'
import { queryRows } from './query-rows.ts'

let folder: string
let opened: OpenDatabase

/** How often garbage was collected because something asked for it. */
let collections = 0
const observer = new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries() as (PerformanceEntry & { detail: { kind: number; flags: number } })[]) {
    const { kind, flags } = detail
    const isAsked = (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0
    if (isAsked && kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1
  }
})

beforeAll(async () => {
  observer.observe({ entryTypes: ['gc'] })
  folder = await mkdtemp(join(tmpdir(), 'assay-settings-'))
  opened = await openDatabase({ folder: join(folder, 'state') })
})
afterAll(async () => {
  observer.disconnect()
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

const megabyte = 1024 * 1024

async function logMegabytes(state: string) {
  const log = join(state, 'pg_wal')
  const names = await readdir(log)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(log, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0) / megabyte
}

test('statistics are about few values, because sampling for a hundred holds up everybody', async () => {
  const { db } = opened
  await db.execute(sql`create table numbers as select generate_series(1, 5000) as n`)
  await db.execute(sql`analyze numbers`)
  const query = sql`select array_length(histogram_bounds::text::int[], 1) - 1 as parts from pg_stats where tablename = 'numbers'`
  expect(await queryRows(db, query, z.object({ parts: z.number() }))).toEqual([{ parts: 10 }])
})

test('a copy of the embedded database has little of its write-ahead log, however much was written', async () => {
  const { db, copyTo } = opened
  await db.execute(sql`create table written (text text)`)
  // Each ends a file of the log, whatever it holds.
  for (let file = 0; file < 12; file += 1) {
    await db.execute(sql`insert into written values (${'x'.repeat(1000)})`)
    await db.execute(sql`select pg_switch_wal()`)
  }
  expect(await logMegabytes(join(folder, 'state'))).toBeGreaterThan(150)
  await copyTo?.(join(folder, 'copy'))
  expect(await logMegabytes(join(folder, 'copy'))).toBeLessThanOrEqual(80)
  const copied = await openDatabase({ folder: join(folder, 'copy') })
  const query = sql`select count(*)::int as written from written`
  expect(await queryRows(copied.db, query, z.object({ written: z.number() }))).toEqual([{ written: 12 }])
  await copied.close()
})

test('what making a new database left in memory is collected', async () => {
  await delay(100)
  expect(collections).toBe(1)
})
