import { afterAll, expect, test } from 'vitest'

import { listEvents } from '#platform/people/audit/list-events.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { createKey } from './create-key.ts'
import { createOrganization } from './create-organization.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

test("creating the second organization revokes the demo's keys and those created with them, but no other keys of the same person", async () => {
  const role = { role: 'admin', kind: 'personal' } as const
  const ada = { organizations: ['lab'], email: 'ada@demo.example', ...role }
  const demoKey = await createKey(platform.services, ada, { isDemo: true })
  const ownKey = await createKey(platform.services, ada)
  const statusOf = async (key: string) => (await platform.request('GET', '/whoami', { key })).status
  const create = async (key: string, path: string, body: object) =>
    (await platform.request('POST', `/admin/v1${path}`, { key, body })).json.key as string
  const madeInDemo = await create(demoKey, '/keys', { name: 'CI', role: 'admin' })
  const madeWithThat = await create(madeInDemo, '/keys', { name: 'CI of CI', role: 'admin' })
  const ownMade = await create(ownKey, '/me/keys', { name: 'Laptop' })
  const all = [demoKey, madeInDemo, madeWithThat, ownKey, ownMade]
  expect(await Promise.all(all.map(statusOf))).toEqual([200, 200, 200, 200, 200])

  await expect(createOrganization(platform.services, { slug: 'lab' })).rejects.toThrow('already exists')
  expect(await statusOf(demoKey)).toBe(200)

  await Promise.all(['two', 'three'].map((slug) => createOrganization(platform.services, { slug })))
  expect(await Promise.all(all.map(statusOf))).toEqual([401, 401, 401, 200, 200])
  const events = await listEvents(platform.services, { limit: 100, organizationId: platform.organization.id })
  expect(events.filter(({ event }) => event === 'key.revoke')).toHaveLength(3)
})

test('the keys that sign people in to the demo can be neither revoked nor rotated, so that nobody locks the demo', async () => {
  const role = { role: 'member', kind: 'personal' } as const
  const max = { organizations: ['lab'], email: 'max@demo.example', ...role }
  const key = await createKey(platform.services, max, { isDemo: true })
  const { keys } = (await platform.request('GET', '/admin/v1/me/keys', { key })).json
  const path = `/admin/v1/me/keys/${keys[0].id}`
  expect(keys[0].isDemo).toBe(true)
  expect((await platform.request('DELETE', path, { key })).status).toBe(412)
  expect((await platform.request('POST', `${path}/rotate`, { key, body: {} })).status).toBe(412)
  expect((await platform.request('GET', '/whoami', { key })).status).toBe(200)
})
