import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { listKeys } from './list-keys.ts'
import { revokeKey } from './revoke-key.ts'
import { setMember } from './set-member.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const look = async (key: string) => (await platform.request('GET', '/runs', { key })).status

test('401 for the next request with a key that this process revoked', async () => {
  const key = await platform.newKey({ email: 'revoked@lab.example' })
  expect(await look(key)).toBe(200)
  const keys = await listKeys(platform.services, 'lab')
  const mine = keys.find(({ email }) => email === 'revoked@lab.example')
  await revokeKey(platform.services, mine?.id ?? '')
  expect(await look(key)).toBe(401)
})

test('401 within a second for a key that another process revoked, however often it is used', async () => {
  const key = await platform.newKey({ email: 'elsewhere@lab.example' })
  expect(await look(key)).toBe(200)
  await platform.services.db.execute(sql`update api_keys set revoked_at = now()
    where created_by = (select id from users where email = 'elsewhere@lab.example')`)
  const revokedAt = performance.now()
  let status = 200
  let lastLive = revokedAt
  while (status === 200 && performance.now() - revokedAt < 10_000) {
    lastLive = performance.now()
    status = await look(key)
  }
  expect(status).toBe(401)
  expect(lastLive - revokedAt).toBeLessThan(1000 + 500)
})

test('a new role applies at the next request', async () => {
  const key = await platform.newKey({ role: 'member', email: 'promoted@lab.example' })
  const role = async () => (await platform.request('GET', '/whoami', { key })).json.organizations[0].role
  expect(await role()).toBe('member')
  await setMember(platform.services, { org: 'lab', email: 'promoted@lab.example', role: 'admin' })
  expect(await role()).toBe('admin')
})
