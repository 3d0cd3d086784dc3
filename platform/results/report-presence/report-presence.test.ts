import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { startCleanup } from '#platform/program/server/start-cleanup.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'

let platform: TestPlatform
let max: string
beforeAll(async () => {
  platform = await openTestPlatform()
  max = await platform.newKey({ role: 'member', email: 'max@lab.example' })
})
afterAll(() => platform.close())

async function makeReport(key = platform.admin) {
  const { json } = await platform.request('POST', '/reports', { key, body: { title: 'Open', bodyMarkdown: 'One.' } })
  return json.report as { id: string; updatedAt: string }
}

const announce = async (reportId: string, key: string, body: object = {}) =>
  platform.request('POST', `/reports/${reportId}/presence`, { key, body })

const peopleSeenBy = async (key: string, reportId: string) => (await announce(reportId, key)).json.people

async function storedRows() {
  const { rows } = (await platform.services.db.execute(sql`select report_id from report_presence`)) as unknown as {
    rows: { report_id: string }[]
  }
  return rows.map(({ report_id: reportId }) => reportId)
}

test('people who have a report open see each other and where, until they stop saying so', async () => {
  const { id, updatedAt } = await makeReport()
  expect(await peopleSeenBy(platform.admin, id)).toEqual([])
  await announce(id, max, { quote: 'One.', position: 0 })
  expect(await peopleSeenBy(platform.admin, id)).toMatchObject([
    { person: { email: 'max@lab.example' }, quote: 'One.', position: 0 },
  ])
  expect(await peopleSeenBy(max, id)).toHaveLength(1)
  await platform.services.db.execute(sql`update report_presence set seen_at = seen_at - interval '16 seconds'`)
  expect(await peopleSeenBy(platform.admin, id)).toEqual([])
  expect(await storedRows()).toHaveLength(1)
  expect((await platform.request('GET', `/reports/${id}`)).json.report.updatedAt).toBe(updatedAt)
})

test('nobody sees people of another organization, and former members are not shown', async () => {
  const { id } = await makeReport()
  await createOrganization(platform.services, { slug: 'foreign' })
  const stranger = await platform.newKey({ role: 'admin', organizations: ['foreign'], email: 'x@foreign.example' })
  const refused = await announce(id, stranger)
  expect([refused.status, refused.json.error]).toEqual([404, 'not_found'])
  await announce(id, max)
  expect(await peopleSeenBy(platform.admin, id)).toHaveLength(1)
  await platform.services.db.execute(
    sql`delete from memberships where user_id = (select id from users where email = 'max@lab.example')`,
  )
  expect(await peopleSeenBy(platform.admin, id)).toEqual([])
})

test.each([{ position: -1 }, { position: 3_000_000_000 }, { quote: 'a'.repeat(201) }])(
  'a place such as %j is refused',
  async (body) => {
    const { id } = await makeReport()
    expect((await announce(id, platform.admin, body)).status).toBe(400)
  },
)

test('a deleted report has nobody', async () => {
  const { id } = await makeReport()
  await announce(id, platform.admin)
  expect((await platform.request('DELETE', `/reports/${id}`)).status).toBe(200)
  expect((await announce(id, platform.admin)).status).toBe(404)
})

test('a report that is deleted while somebody says that they are here is not found', async () => {
  const { id } = await makeReport()
  const { db } = platform.services
  await db.execute(sql`create function delete_reports() returns trigger language plpgsql
    as 'begin delete from reports; return null; end'`)
  await db.execute(
    sql`create trigger delete_reports before delete on report_presence execute function delete_reports()`,
  )
  const { status, json } = await announce(id, platform.admin)
  await db.execute(sql`drop function delete_reports cascade`)
  expect([status, json.error]).toEqual([404, 'not_found'])
})

// PGlite has one connection, so there nothing happens during a transaction.
test.runIf(process.env['TEST_DATABASE_URL'])('a report whose deletion is not committed yet is not found', async () => {
  const { id } = await makeReport()
  const { db } = platform.services
  const isWaiting = () => db.execute(sql`select from pg_stat_activity where wait_event_type = 'Lock'`)
  const said = await db.transaction(async (tx) => {
    await tx.execute(sql`delete from reports where id = ${id}`)
    const said = announce(id, platform.admin)
    await expect.poll(isWaiting).toMatchObject({ rowCount: 1 })
    return { answer: said }
  })
  expect((await said.answer).status).toBe(404)
})

test('the cleanup deletes where people were more than a minute ago, including in reports that nobody opens again', async () => {
  const [left, open] = [await makeReport(), await makeReport()]
  for (const { id } of [left, open]) await announce(id, platform.admin, { quote: 'An unsaved draft', position: 0 })
  await platform.services.db.execute(
    sql`update report_presence set seen_at = seen_at - interval '61 seconds' where report_id = ${left.id}`,
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
  const stop = startCleanup(platform.services)
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
  await expect.poll(storedRows).not.toContain(left.id)
  expect(await storedRows()).toContain(open.id)
  await stop()
})
