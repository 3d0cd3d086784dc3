import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { listEvents } from '#platform/audit/list-events.ts'
import { createOrganization } from '#platform/identity/create-organization.ts'
import { openTestPlatform, type TestPlatform } from '#platform/testing/test-platform.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await openTestPlatform()
})
afterAll(() => platform.close())

const whoami = async (key: string) => (await platform.request('GET', '/whoami', { key })).json
const rename = (path: '/organization' | '/me', name: unknown, key = platform.admin) =>
  platform.request('PATCH', `/admin/v1${path}`, { key, body: { name } })
const renames = async (event: string) => {
  const events = await listEvents(platform.services, { limit: 100 })
  return events.filter((each) => each.event === event).map(({ subject, details }) => [subject, details])
}

test('an admin renames the organization, which everyone sees with their next request, and the slug stays', async () => {
  const member = await platform.newKey({ role: 'member' })
  const { status, json } = await rename('/organization', '  The Lab  ')
  expect([status, json.name, json.slug]).toEqual([200, 'The Lab', 'lab'])
  expect((await whoami(member)).organizations).toMatchObject([{ name: 'The Lab', slug: 'lab' }])
  expect((await platform.request('GET', '/admin/v1/organization', { key: member })).json).toEqual(json)
  await rename('/organization', 'The Lab')
  expect(await renames('organization.rename')).toEqual([['The Lab', { nameBefore: 'lab' }]])
})

test('403 permission_denied when a member renames the organization, and when an organization key renames a person', async () => {
  expect((await rename('/organization', 'Mine', await platform.newKey({ role: 'member' }))).status).toBe(403)
  expect((await rename('/me', 'Mine', await platform.newKey({ kind: 'organization' }))).status).toBe(403)
})

test('a person changes their name in all their organizations, and each audit log has the name before', async () => {
  await createOrganization(platform.services, { slug: 'annex' })
  const key = await platform.newKey({ organizations: ['lab', 'annex'], email: 'grace@lab.example' })
  const { status, json } = await rename('/me', 'Grace Hopper', key)
  expect([status, json.name, json.email]).toEqual([200, 'Grace Hopper', 'grace@lab.example'])
  expect((await whoami(key)).actor.name).toBe('Grace Hopper')
  const entry = ['grace@lab.example', { name: 'Grace Hopper', nameBefore: 'grace' }]
  expect(await renames('person.rename')).toEqual([entry, entry])
})

test.each(['', '   ', 'a\u202eb', 'a\nb', 'x'.repeat(101), 7])('400 invalid_argument for the name %j', async (name) => {
  for (const path of ['/organization', '/me'] as const) expect((await rename(path, name)).status).toBe(400)
})

test('412 failed_precondition for the name of a person as whom the demo signs visitors in', async () => {
  const key = await platform.newKey({ email: 'demo@lab.example' })
  const { actor } = await whoami(key)
  await platform.services.db.execute(sql`update api_keys set is_demo = true where created_by = ${actor.id}`)
  expect((await rename('/me', 'Somebody', key)).status).toBe(412)
})
