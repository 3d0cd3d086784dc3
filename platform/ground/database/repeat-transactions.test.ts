import { eq, sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { readOutage } from '#platform/ground/failures/outage.ts'
import { openTestDatabase } from '#platform/program/testing/test-database.ts'
import type { Database, OpenDatabase } from './open-database.ts'
import { countRepeated } from './open-postgres.ts'
import { organizations } from '#platform/ground/database/tables/identity.ts'

const server = process.env['TEST_DATABASE_URL']

describe.skipIf(!server)('a transaction on PostgreSQL', () => {
  let database: OpenDatabase
  beforeAll(async () => {
    database = await openTestDatabase()
    await database.db.insert(organizations).values(['a', 'b'].map((slug) => ({ id: newId(), slug, name: '' })))
  })
  afterAll(() => database.close())

  const append = (tx: Database, slug: string, letter: string) =>
    tx
      .update(organizations)
      .set({ name: sql`${organizations.name} || ${letter}` })
      .where(eq(organizations.slug, slug))
  const organizationName = async (slug: string) => {
    const [row] = await database.db.select().from(organizations).where(eq(organizations.slug, slug))
    return row?.name
  }

  test('that loses a deadlock is repeated, and writes once', async () => {
    const before = countRepeated()
    const bothHoldOne = Promise.withResolvers<void>()
    let holding = 0
    const change = (slugs: readonly [string, string], letter: string) =>
      database.db.transaction(async (tx) => {
        await append(tx, slugs[0], letter)
        holding += 1
        if (holding === 2) bothHoldOne.resolve()
        await bothHoldOne.promise
        await append(tx, slugs[1], letter)
      })
    await Promise.all([change(['a', 'b'], 'x'), change(['b', 'a'], 'y')])
    expect(countRepeated()).toBe(before + 1)
    expect(
      [await organizationName('a'), await organizationName('b')].map((name) => [...(name ?? '')].toSorted()),
    ).toEqual([
      ['x', 'y'],
      ['x', 'y'],
    ])
  })

  test('that conflicts with another one is repeated', async () => {
    let tries = 0
    await database.db.transaction(
      async (tx) => {
        tries += 1
        await tx.execute(sql`select 1`)
        if (tries === 1) await append(database.db, 'a', 'z')
        await append(tx, 'a', 'w')
      },
      { isolationLevel: 'repeatable read' },
    )
    expect([tries, (await organizationName('a'))?.slice(-2)]).toEqual([2, 'zw'])
  })

  test.each([
    ['five times when it never succeeds, and then it is unavailable', '40P01', 5, 'unavailable'],
    ['not for another error', '22012', 1, undefined],
  ])('is repeated %s', async (_, state, tries, code) => {
    let count = 0
    const failed = database.db.transaction(async (tx) => {
      count += 1
      await tx.execute(sql.raw(`do $$ begin raise exception sqlstate '${state}'; end $$`))
    })
    const error: unknown = await failed.catch((thrown: unknown) => thrown)
    expect([count, readOutage(error)?.code]).toEqual([tries, code])
  })
})
