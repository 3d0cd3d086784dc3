import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { organizations } from '#platform/database/tables/identity.ts'
import { schedules } from '#platform/database/tables/schedules.ts'
import { createOrganization } from '#platform/identity/create-organization.ts'
import { twoByTwo } from '#platform/testing/definitions.ts'
import { openTestPlatform, type TestPlatform } from '#platform/testing/test-platform.ts'
import { startDueSchedules } from './start-due.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await openTestPlatform()
})
afterAll(() => platform.close())

/** A schedule whose turn it is, of the organization of a key. */
async function addDue(key: string): Promise<string> {
  await platform.request('POST', '/experiments', { key, yaml: twoByTwo('nightly') })
  const trigger = { kind: 'times', cron: '0 2 * * *', timeZone: 'UTC' }
  const body = { name: 'Nightly', experimentId: 'nightly', trigger, submission: { mock: true } }
  const { id } = (await platform.request('POST', '/schedules', { key, body })).json
  await platform.services.db
    .update(schedules)
    .set({ nextAt: sql`clock_timestamp() - interval '1 second'` })
    .where(eq(schedules.id, id))
  return id
}

const startsOf = async (id: string, key: string) =>
  (await platform.request('GET', `/schedules/${id}/starts`, { key })).json.starts

// PGlite has one connection, so there nothing happens during a transaction.
test.runIf(process.env['TEST_DATABASE_URL'])(
  'a schedule that waits for a lock does not hold up those of other organizations',
  async () => {
    const { services, admin } = platform
    const held = await addDue(admin)
    await createOrganization(services, { slug: 'other' })
    const stranger = await platform.newKey({ email: 'boss@other.example', organizations: ['other'] })
    const free = await addDue(stranger)
    const pass = await services.db.transaction(async (tx) => {
      // Runs name their organization, so they wait for its row.
      await tx.select().from(organizations).where(eq(organizations.id, platform.organization.id)).for('update')
      const pass = startDueSchedules(services)
      await expect.poll(() => startsOf(free, stranger)).toMatchObject([{ state: 'running' }])
      expect(await startsOf(held, admin)).toEqual([])
      return { end: pass }
    })
    expect(await pass.end).toBe(2)
    expect(await startsOf(held, admin)).toMatchObject([{ state: 'running' }])
  },
)
