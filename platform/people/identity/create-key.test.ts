import { afterAll, expect, test } from 'vitest'

import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { createKey } from './create-key.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const person = { email: 'ada@lab.example', kind: 'personal' as const, organizations: ['lab'] }

test('a second personal key with another role than its person has is refused, so nobody is demoted by accident', async () => {
  const key = await createKey(platform.services, { ...person, role: 'admin' })
  await expect(createKey(platform.services, { ...person, role: 'member' })).rejects.toThrow('is already admin')
  const { json } = await platform.request('GET', '/whoami', { key })
  expect(json.organizations[0].role).toBe('admin')
})

test('an organization key may have a role of its own, and an unknown organization gets no key', async () => {
  const key = await createKey(platform.services, { ...person, kind: 'organization', role: 'member' })
  expect((await platform.request('GET', '/whoami', { key })).json.organizations[0].role).toBe('member')
  const nowhere = { ...person, organizations: ['lab', 'nowhere'], role: 'admin' as const }
  await expect(createKey(platform.services, nowhere)).rejects.toThrow('"nowhere" does not exist')
})
