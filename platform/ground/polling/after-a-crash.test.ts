import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'

import { type Database, openDatabase } from '#platform/ground/database/open-database.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { readStamp, writeStamp } from '#platform/queue/runs/list-stamp.ts'
import { startThrowawayPostgres } from '#tools/postgres.mjs'
import { watchChanges } from './watch-changes.ts'

const onPostgres = test.runIf(process.env['TEST_DATABASE_URL'])

/** Renames every user and returns the id of the transaction that did. */
async function rename(db: Database, name: string) {
  await db.execute(sql`update users set name = ${name}`)
  const [row] = await db.select({ changedIn: users.changedIn }).from(users)
  return row?.changedIn
}

async function renameInVain(db: Database) {
  let number: unknown
  const rolledBack = db.transaction(async (tx) => {
    number = await rename(tx, 'Nobody')
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  return number
}

onPostgres(
  'a change is seen even if a crashed server reuses the id of a rolled-back transaction for it',
  async () => {
    const server = await startThrowawayPostgres({ keepsCommits: true })
    if (!server) throw new Error('PostgreSQL is not installed on this machine')
    onTestFinished(() => server.stop())
    const { db, close } = await openDatabase({ url: server.url })
    onTestFinished(close)
    await db.insert(users).values({ id: randomUUID(), email: 'ada@example.org', name: 'Ada' })
    const organizationId = randomUUID()
    const { versionOf } = watchChanges(db)

    // The end of the rolled-back transaction may reach the disk by chance; then its id is not reused.
    let isReused = false
    for (let round = 0; round < 10 && !isReused; round += 1) {
      const inVain = await renameInVain(db)
      const before = await versionOf(organizationId, 'anything')
      await server.crash()
      await expect.poll(() => db.execute(sql`select 1`).catch(() => null)).not.toBeNull()
      isReused = (await rename(db, `Ada ${round}`)) === inVain

      const after = await versionOf(organizationId, 'runs')
      expect(after.serial).toBeGreaterThan(before.serial)
      expect(readStamp(writeStamp(before, ['runs']), ['runs'], before)).toBe(before.snapshot)
      expect(readStamp(writeStamp(before, ['runs']), ['runs'], after)).toBeNull()
    }
    expect(isReused).toBe(true)
  },
  120_000,
)
