import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { createOrganization } from '#platform/identity/create-organization.ts'
import { openTestPlatform, type TestPlatform } from '#platform/testing/test-platform.ts'

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
  const { rows } = (await platform.services.db.execute(sql`select user_id from report_presence`)) as unknown as {
    rows: unknown[]
  }
  expect(rows).toHaveLength(1)
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
