import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { organizations } from '#platform/ground/database/tables/identity.ts'
import { schedules, scheduleStarts } from '#platform/ground/database/tables/schedules.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { startDueSchedules } from './start-due.ts'

let platform: TestPlatform
let stranger: string
beforeAll(async () => {
  platform = await openTestPlatform()
  await createOrganization(platform.services, { slug: 'other' })
  stranger = await platform.newKey({ email: 'boss@other.example', organizations: ['other'] })
})
afterAll(() => platform.close())

/** A schedule whose turn it is, of the organization of a key. */
async function addDue(key: string, experimentId = 'nightly', secondsAgo = 1): Promise<string> {
  await platform.request('POST', '/experiments', { key, yaml: twoByTwo(experimentId) })
  const trigger = { kind: 'times', cron: '0 2 * * *', timeZone: 'UTC' }
  const body = { name: 'Nightly', experimentId, trigger, submission: { mock: true } }
  const { id } = (await platform.request('POST', '/schedules', { key, body })).json
  await platform.services.db
    .update(schedules)
    .set({ nextAt: sql`clock_timestamp() - make_interval(secs => ${secondsAgo})` })
    .where(eq(schedules.id, id))
  return id
}

const startsOf = async (id: string, key: string) =>
  (await platform.request('GET', `/schedules/${id}/starts`, { key })).json.starts

/** The platform with a database whose named methods are replaced. */
const withDatabase = (methods: object) => ({
  ...platform.services,
  db: new Proxy(platform.services.db, {
    get: (target, name) => Reflect.get(methods, name) ?? Reflect.get(target, name).bind(target),
  }),
})

test('a start that fails and cannot be postponed is logged, and the pass ends', async () => {
  const id = await addDue(platform.admin, 'unlucky')
  const fail = () => Promise.reject(new Error('The database is down'))
  const update = () => ({ set: () => ({ where: fail }) })
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await startDueSchedules(withDatabase({ transaction: fail, update }))).toBe(false)
  expect(logged).toHaveBeenCalledTimes(2)
  logged.mockRestore()
  await platform.request('DELETE', `/schedules/${id}`)
})

test('a pass that fails to find the next schedule ends after the starts in progress', async () => {
  const id = await addDue(platform.admin, 'in-progress')
  const ended: string[] = []
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const transaction = async () => {
    await held
    ended.push('start')
  }
  let looks = 0
  const select = (...fields: []) => {
    looks += 1
    if (looks === 1) return platform.services.db.select(...fields)
    setImmediate(release)
    throw new Error('The database is down')
  }
  const pass = startDueSchedules(withDatabase({ transaction, select })).finally(() => ended.push('pass'))
  await expect(pass).rejects.toThrow('The database is down')
  expect(ended).toEqual(['start', 'pass'])
  await platform.request('DELETE', `/schedules/${id}`)
})

// PGlite has one connection, so there nothing happens during a transaction.
test.runIf(process.env['TEST_DATABASE_URL'])(
  'a schedule that waits for a lock does not hold up those of other organizations',
  async () => {
    const { services, admin } = platform
    const held = await addDue(admin)
    const free = await addDue(stranger)
    const pass = await services.db.transaction(async (tx) => {
      // Runs name their organization, so they wait for its row.
      await tx.select().from(organizations).where(eq(organizations.id, platform.organization.id)).for('update')
      const pass = startDueSchedules(services)
      await expect.poll(() => startsOf(free, stranger)).toMatchObject([{ state: 'running' }])
      expect(await startsOf(held, admin)).toEqual([])
      return { end: pass }
    })
    expect(await pass.end).toBe(false)
    expect(await startsOf(held, admin)).toMatchObject([{ state: 'running' }])
  },
)

test('an organization with many due schedules takes turns with the others', async () => {
  const many: string[] = []
  for (let place = 0; place < 10; place += 1) many.push(await addDue(platform.admin, `many-${place}`, 60))
  const one = await addDue(stranger, 'one')
  expect(await startDueSchedules(platform.services)).toBe(false)
  const rows = await platform.services.db
    .select({ id: scheduleStarts.scheduleId })
    .from(scheduleStarts)
    .where(inArray(scheduleStarts.scheduleId, [...many, one]))
    .orderBy(scheduleStarts.startedAt)
  expect(rows).toHaveLength(11)
  expect(rows.findIndex(({ id }) => id === one)).toBeLessThan(6)
})
