import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'

import { openDatabase } from './open-database.ts'

const megabyte = 1024 * 1024

async function logMegabytes(folder: string) {
  const log = join(folder, 'pg_wal')
  const names = await readdir(log)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(log, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0) / megabyte
}

test('a copy of the embedded database has little of its write-ahead log, however much was written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-log-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { db, copyTo, close } = await openDatabase({ folder: join(folder, 'state') })
  await db.execute(sql`create table written (text text)`)
  // Each ends a file of the log, whatever it holds.
  for (let file = 0; file < 12; file += 1) {
    await db.execute(sql`insert into written values (${'x'.repeat(1000)})`)
    await db.execute(sql`select pg_switch_wal()`)
  }
  expect(await logMegabytes(join(folder, 'state'))).toBeGreaterThan(150)
  await copyTo?.(join(folder, 'copy'))
  expect(await logMegabytes(join(folder, 'copy'))).toBeLessThanOrEqual(80)
  await close()
  const copied = await openDatabase({ folder: join(folder, 'copy') })
  const { rows } = (await copied.db.execute(sql`select count(*)::int as written from written`)) as unknown as {
    rows: unknown[]
  }
  expect(rows).toEqual([{ written: 12 }])
  await copied.close()
})
