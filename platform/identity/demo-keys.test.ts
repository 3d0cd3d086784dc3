import { afterAll, beforeAll, expect, test } from 'vitest'

import { listEvents } from '#platform/audit/list-events.ts'
import { openTestPlatform, type TestPlatform } from '#platform/testing/test-platform.ts'
import { createKey } from './create-key.ts'
import { createOrganization } from './create-organization.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await openTestPlatform()
})
afterAll(() => platform.close())

test("creating the second organization revokes the demo's keys, but no other keys of the same person", async () => {
  const role = { role: 'admin', kind: 'personal' } as const
  const ada = { organizations: ['lab'], email: 'ada@demo.example', ...role }
  const demoKey = await createKey(platform.services, ada, { isDemo: true })
  const ownKey = await createKey(platform.services, ada)
  const statusOf = async (key: string) => (await platform.request('GET', '/whoami', { key })).status
  expect([await statusOf(demoKey), await statusOf(ownKey)]).toEqual([200, 200])

  await expect(createOrganization(platform.services, { slug: 'lab' })).rejects.toThrow('already exists')
  expect(await statusOf(demoKey)).toBe(200)

  await Promise.all(['two', 'three'].map((slug) => createOrganization(platform.services, { slug })))
  expect([await statusOf(demoKey), await statusOf(ownKey)]).toEqual([401, 200])
  const events = await listEvents(platform.services, { limit: 100, organizationId: platform.organization.id })
  expect(events.filter(({ event }) => event === 'key.revoke')).toHaveLength(1)
})
