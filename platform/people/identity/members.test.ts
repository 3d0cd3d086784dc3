import { afterAll, expect, test } from 'vitest'

import { announce } from '#platform/people/notifications/announce.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { createKey } from './create-key.ts'
import { createOrganization } from './create-organization.ts'
import { listKeys } from './list-keys.ts'
import { listMembers } from './list-members.ts'
import { removeMember } from './remove-member.ts'
import { revokeKey } from './revoke-key.ts'
import { setMember } from './set-member.ts'

const platform = await openTestPlatform()
await createOrganization(platform.services, { slug: 'annex' })
afterAll(() => platform.close())

const rolesOf = async (key: string) => {
  const { json } = await platform.request('GET', '/whoami', { key })
  return Object.fromEntries(json.organizations.map(({ slug, role }: { slug: string; role: string }) => [slug, role]))
}

const olga = 'olga@lab.example'

test("one personal key acts in each organization with its person's current role there", async () => {
  await setMember(platform.services, { org: 'lab', email: olga, role: 'member' })
  await setMember(platform.services, { org: 'annex', email: 'Olga@Lab.example', role: 'admin' })
  const key = await createKey(platform.services, { email: olga, kind: 'personal', organizations: ['lab', 'annex'] })
  expect(await rolesOf(key)).toEqual({ lab: 'member', annex: 'admin' })

  const { json } = await platform.request('GET', '/whoami', { key })
  const balance = async (slug: string) => {
    const { id } = json.organizations.find((organization: { slug: string }) => organization.slug === slug)
    return (await platform.request('GET', `/credits/balance?org_id=${id}`, { key })).status
  }
  expect([await balance('lab'), await balance('annex')]).toEqual([403, 200])

  await setMember(platform.services, { org: 'lab', email: olga, role: 'admin' })
  expect([await rolesOf(key), await balance('lab')]).toEqual([{ lab: 'admin', annex: 'admin' }, 200])
})

test('a personal key needs a role where its person is not a member yet, and an organization key always needs one', async () => {
  const key = { email: 'new@lab.example', organizations: ['lab'] }
  await expect(createKey(platform.services, { ...key, kind: 'personal' })).rejects.toThrow('is not a member yet')
  await expect(createKey(platform.services, { ...key, kind: 'organization' })).rejects.toThrow('needs a role')
})

test('a removed member has no access to the organization with any key', async () => {
  const key = await platform.newKey({ email: 'leaving@lab.example', role: 'member' })
  await removeMember(platform.services, { org: 'lab', email: 'leaving@lab.example' })
  expect(await rolesOf(key)).toEqual({})
  expect((await platform.request('GET', '/experiments', { key })).status).toBe(403)
  await expect(removeMember(platform.services, { org: 'lab', email: 'leaving@lab.example' })).rejects.toThrow(
    'is not a member',
  )
})

test('an organization always has an admin, even when two leave at once', async () => {
  await createOrganization(platform.services, { slug: 'small' })
  const set = (email: string, role: 'admin' | 'member') => setMember(platform.services, { org: 'small', email, role })
  await set('one@lab.example', 'admin')
  await expect(set('one@lab.example', 'member')).rejects.toThrow('last admin')
  await expect(removeMember(platform.services, { org: 'small', email: 'one@lab.example' })).rejects.toThrow(
    'last admin',
  )
  await set('two@lab.example', 'admin')
  const leaving = await Promise.allSettled([set('one@lab.example', 'member'), set('two@lab.example', 'member')])
  expect(leaving.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const members = await listMembers(platform.services, 'small')
  expect(members.map(({ role }) => role).sort()).toEqual(['admin', 'member'])
})

test('401 at once for a revoked key, which is also no longer listed', async () => {
  const key = await platform.newKey({ email: 'short@lab.example', role: 'member' })
  const idOf = async () =>
    (await listKeys(platform.services, 'lab')).find(({ email }) => email === 'short@lab.example')?.id
  const id = (await idOf()) ?? ''
  await revokeKey(platform.services, id)
  await revokeKey(platform.services, id)
  expect([(await platform.request('GET', '/whoami', { key })).status, await idOf()]).toEqual([401, undefined])
  await expect(revokeKey(platform.services, 'nonsense')).rejects.toThrow('There is no key')
})

/** Needs PostgreSQL, where several connections lock rows at once. The embedded database has one connection. */
test('changes of members, concurrent writes and announcements do not deadlock', async () => {
  const email = 'busy@lab.example'
  const key = await platform.newKey({ email, role: 'member' })
  const { id } = (await platform.request('POST', '/reports', { key, body: { title: 'busy' } })).json.report
  const append = () => platform.request('POST', `/reports/${id}/blocks`, { body: { markdown: 'more' } })
  for (let round = 0; round < 15; round += 1) {
    const [statuses] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, async () => (await append()).status)),
      ...Array.from({ length: 3 }, () => setMember(platform.services, { org: 'lab', email, role: 'member' })),
      ...Array.from({ length: 3 }, () => announce(platform.services, { title: 'news', message: 'for all' })),
    ])
    expect(statuses).toEqual([200, 200, 200, 200, 200])
  }
}, 60_000)
