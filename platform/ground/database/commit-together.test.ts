import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'

import { copyAfterStatements } from '#platform/program/testing/copy-after-statements.ts'
import { copyFolder, keepState } from '#platform/program/testing/kept-state.ts'
import { commitTogether } from './commit-together.ts'
import { type Database, type OpenDatabase, openDatabase } from './open-database.ts'
import { queryRows } from './query-rows.ts'

let folder: string
let opened: OpenDatabase
let db: Database
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-together-'))
  copyFolder(await keepState(), join(folder, 'state'))
  opened = await openDatabase({ folder: join(folder, 'state') })
  db = opened.db
  await db.execute(sql`create table written (number int primary key)`)
})
beforeEach(() => db.execute(sql`delete from written`))
afterAll(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

const write = (number: number) => async (tx: Database) => {
  await tx.execute(sql`insert into written values (${number})`)
}
const end = async (tx: Database) => {
  await write(0)(tx)
  return true
}

async function read(from: Database) {
  const query = sql`select number from written order by number`
  return (await queryRows(from, query, z.object({ number: z.number() }))).map(({ number }) => number)
}

const countPrepared = async (from: Database) =>
  (await queryRows(from, sql`select gid from pg_prepared_xacts`, z.object({ gid: z.string() }))).length

test('parts are visible together with the end, and others use the database before', async () => {
  const seen: number[][] = []
  const observe = async () => {
    for (let round = 0; round < 20; round += 1) seen.push(await read(db))
  }
  await Promise.all([commitTogether(db, { parts: [write(1), write(2), write(3)], end }), observe()])
  expect(seen.length).toBeGreaterThan(1)
  for (const numbers of seen) expect([[], [0, 1, 2, 3]]).toContainEqual(numbers)
  expect(seen[0]).toEqual([])
  expect(await read(db)).toEqual([0, 1, 2, 3])
  expect(await countPrepared(db)).toBe(0)
})

test('nothing is left of a group with a part or an end that fails, or an end that declines', async () => {
  const fail = () => Promise.reject(new Error('failed'))
  await expect(commitTogether(db, { parts: [write(1), fail], end })).rejects.toThrow('failed')
  await expect(commitTogether(db, { parts: [write(1), write(2)], end: fail })).rejects.toThrow('failed')
  await commitTogether(db, { parts: [write(1), write(2)], end: async () => false })
  expect(await read(db)).toEqual([])
  expect(await countPrepared(db)).toBe(0)
  await commitTogether(db, { parts: [write(1)], end })
  expect(await read(db)).toEqual([0, 1])
})

test('of two groups the second starts after the first', async () => {
  const order: string[] = []
  const note = (what: string) => async () => void order.push(what)
  const group = (name: string) => ({
    parts: [note(name), note(name)],
    end: async () => (order.push(name), true),
  })
  await Promise.all([commitTogether(db, group('a')), commitTogether(db, group('b'))])
  expect(order.join('')).toBe('aaabbb')
})

test('a process that is killed after any statement leaves all of a group or nothing, and no lock', async () => {
  const { stop } = copyAfterStatements(join(folder, 'state'))
  await commitTogether(db, { parts: [write(1), write(2)], end })
  const copies = stop()
  const left = new Map<string, string>()
  for (const copy of new Set(copies)) {
    const killed = await openDatabase({ folder: copy })
    left.set(copy, (await read(killed.db)).join(' '))
    expect(await countPrepared(killed.db)).toBe(0)
    await killed.db.execute(sql`alter table written add column locked int`)
    await killed.close()
  }
  const found = copies.map((copy) => left.get(copy))
  const decided = found.indexOf('0 1 2')
  expect(decided).toBeGreaterThan(0)
  expect(decided).toBeLessThan(found.length - 3)
  expect(found).toEqual(found.map((_, at) => (at < decided ? '' : '0 1 2')))
}, 120_000)
