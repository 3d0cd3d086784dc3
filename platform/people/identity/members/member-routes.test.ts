import { afterAll, expect, test } from 'vitest'

import type { Member } from '#contract/members.ts'
import { listEvents } from '#platform/people/audit/list-events.ts'
import { createKey } from '#platform/people/identity/create-key.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const call = (method: 'GET' | 'PATCH' | 'DELETE', path: string, options: { key?: string; body?: unknown } = {}) =>
  platform.request(method, `/admin/v1${path}`, options)

const listed = async (key = platform.admin) =>
  (await call('GET', '/members?page_size=1000', { key })).json.members as Member[]

let people = 0
async function newMember(role: 'admin' | 'member', organizations = ['lab']) {
  people += 1
  const email = `member${people}@lab.example`
  const key = await platform.newKey({ role, organizations, email })
  const { actor } = (await platform.request('GET', '/whoami', { key })).json
  return { key, email, id: actor.id as string }
}

const roleOf = async (key: string) =>
  (await platform.request('GET', '/whoami', { key })).json.organizations[0]?.role as string | undefined

test('a member sees every member with their role, and which of them they are', async () => {
  const max = await newMember('member')
  const members = await listed(max.key)
  expect(members.map(({ email }) => email)).toEqual(members.map(({ email }) => email).toSorted())
  expect(members.filter(({ isYou }) => isYou)).toMatchObject([{ id: max.id, email: max.email, role: 'member' }])
  const pages = await call('GET', '/members?page_size=1', { key: max.key })
  const next = await call('GET', `/members?page_size=1&page_token=${pages.json.nextPageToken}`, { key: max.key })
  expect([...pages.json.members, ...next.json.members]).toEqual(members.slice(0, 2))
})

test('an admin changes a role, which applies to the next request of the member', async () => {
  const max = await newMember('member')
  const { status, json } = await call('PATCH', `/members/${max.id}`, { body: { role: 'admin' } })
  expect([status, json]).toEqual([
    200,
    { id: max.id, email: max.email, name: 'member2', role: 'admin', isYou: false, isDemo: false },
  ])
  expect(await roleOf(max.key)).toBe('admin')
})

test('a removed member has no access with their next request, and removing them again is 404', async () => {
  const max = await newMember('member')
  expect((await call('DELETE', `/members/${max.id}`)).status).toBe(204)
  expect((await platform.request('GET', '/experiments', { key: max.key })).status).toBe(403)
  expect((await call('DELETE', `/members/${max.id}`)).status).toBe(404)
})

test('403 permission_denied when a member changes or removes somebody, also themselves by that route', async () => {
  const [max, other] = [await newMember('member'), await newMember('member')]
  for (const id of [max.id, other.id]) {
    expect((await call('PATCH', `/members/${id}`, { key: max.key, body: { role: 'admin' } })).status).toBe(403)
    expect((await call('DELETE', `/members/${id}`, { key: max.key })).status).toBe(403)
  }
  expect(await roleOf(max.key)).toBe('member')
})

test('404 for a person of another organization, the same as for one that does not exist, and nothing changes', async () => {
  await createOrganization(platform.services, { slug: 'foreign' })
  const foreigner = await newMember('admin', ['foreign'])
  for (const id of [foreigner.id, '00000000-0000-4000-8000-000000000000', 'nobody']) {
    const answers = [
      await call('DELETE', `/members/${id}`),
      await call('PATCH', `/members/${id}`, { body: { role: 'member' } }),
    ]
    for (const { status, json } of answers)
      expect([status, json.message]).toEqual([404, 'There is no such member in this organization'])
  }
  expect(await roleOf(foreigner.key)).toBe('admin')
})

test('a person leaves, and the organization key that they created keeps working', async () => {
  const ada = await newMember('admin')
  const body = { name: 'CI', role: 'member' }
  const { json } = await platform.request('POST', '/admin/v1/keys', { key: ada.key, body })
  expect((await call('DELETE', '/me/membership', { key: json.key })).status).toBe(403)
  expect((await call('DELETE', '/me/membership', { key: ada.key })).status).toBe(204)
  expect(await roleOf(ada.key)).toBeUndefined()
  expect(await roleOf(json.key)).toBe('member')
})

test('412 failed_precondition in every way to lose the last admin, and of two who remove each other one stays', async () => {
  await createOrganization(platform.services, { slug: 'pair' })
  const [one, two] = [await newMember('admin', ['pair']), await newMember('admin', ['pair'])]
  const answers = await Promise.all([
    call('DELETE', `/members/${two.id}`, { key: one.key }),
    call('DELETE', `/members/${one.id}`, { key: two.key }),
  ])
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  const left = (await roleOf(one.key)) ? one : two
  const ways = [
    await call('DELETE', '/me/membership', { key: left.key }),
    await call('DELETE', `/members/${left.id}`, { key: left.key }),
    await call('PATCH', `/members/${left.id}`, { key: left.key, body: { role: 'member' } }),
  ]
  for (const { status, json } of ways) {
    expect([status, json.error]).toEqual([412, 'failed_precondition'])
    expect(json.message).toContain('last admin')
  }
})

test('a change of role is in the audit log with the role before, and setting the same role is not', async () => {
  const max = await newMember('member')
  for (const role of ['admin', 'admin']) await call('PATCH', `/members/${max.id}`, { body: { role } })
  const events = await listEvents(platform.services, { organizationId: platform.organization.id, limit: 20 })
  expect(
    events.filter(({ subject }) => subject === max.email && subject !== null).map(({ details }) => details),
  ).toEqual([{ role: 'admin', roleBefore: 'member' }])
})

test('412 failed_precondition for each change of the people of the demo, until a second organization ends it', async () => {
  const { services } = platform
  await createOrganization(services, { slug: 'shown' })
  const owner = await newMember('admin', ['shown'])
  const email = 'visitor@lab.example'
  const grant = { organizations: ['shown'], email, role: 'member' as const, kind: 'personal' as const }
  const key = await createKey(services, grant, { isDemo: true })
  const visitor = (await listed(owner.key)).find((member) => member.email === email)
  expect(visitor).toMatchObject({ isDemo: true, role: 'member' })
  const changes = () => [
    call('PATCH', `/members/${visitor?.id}`, { key: owner.key, body: { role: 'admin' } }),
    call('DELETE', `/members/${visitor?.id}`, { key: owner.key }),
    call('DELETE', '/me/membership', { key }),
  ]
  for (const { status, json } of await Promise.all(changes())) {
    expect([status, json.error]).toEqual([412, 'failed_precondition'])
    expect(json.message).toContain('The demo signs visitors in as visitor')
  }
  expect(await roleOf(key)).toBe('member')
  expect((await call('PATCH', `/members/${visitor?.id}`, { key: owner.key, body: { role: 'member' } })).status).toBe(
    200,
  )
  await createOrganization(services, { slug: 'second' })
  expect((await call('DELETE', `/members/${visitor?.id}`, { key: owner.key })).status).toBe(204)
})
