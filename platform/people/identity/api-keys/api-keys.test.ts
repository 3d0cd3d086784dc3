import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import type { ApiKey } from '#contract/api-keys.ts'
import { listEvents } from '#platform/people/audit/list-events.ts'
import { hashApiKey, keyPrefix, newApiKey } from '#platform/people/identity/api-key.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { removeMember } from '#platform/people/identity/remove-member.ts'
import { setMember } from '#platform/people/identity/set-member.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const admin = '/admin/v1'

const call = async (
  key: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body: unknown = method === 'POST' ? {} : undefined,
) => {
  const { status, json } = await platform.request(method, `${admin}${path}`, { key, body })
  return { status, json }
}

const createOwn = async (key: string, body: object = {}) =>
  (await call(key, 'POST', '/me/keys', { name: 'Laptop', ...body })).json as { apiKey: ApiKey; key: string }

const createForOrganization = async (key: string, body: object = {}) =>
  (await call(key, 'POST', '/keys', { name: 'CI', role: 'member', ...body })).json as { apiKey: ApiKey; key: string }

const works = async (key: string) => (await platform.request('GET', '/whoami', { key })).status === 200

const listOwn = async (key: string) => (await call(key, 'GET', '/me/keys')).json.keys as ApiKey[]

const listAll = async (key = platform.admin) => (await call(key, 'GET', '/keys?page_size=1000')).json.keys as ApiKey[]

let people = 0
const newPerson = (role: 'admin' | 'member' = 'member', organizations = ['lab']) => {
  people += 1
  return platform.newKey({ role, organizations, email: `keys${people}@lab.example` })
}

test('a person approves a key that a program made, of which only the hash is sent', async () => {
  const person = await newPerson()
  const made = newApiKey()
  const body = { name: 'assay on laptop', hash: hashApiKey(made), prefix: keyPrefix(made) }
  const isApproved = async (key: string) => (await call(key, 'GET', '/new-key')).json
  expect(await isApproved(made)).toEqual({ isApproved: false })
  const { status, json } = await call(person, 'POST', '/me/keys/approve', body)
  expect([status, json]).toEqual([
    201,
    expect.objectContaining({ name: 'assay on laptop', prefix: body.prefix, kind: 'personal' }),
  ])
  expect(await isApproved(made)).toEqual({ isApproved: true })
  const [mine, theirs] = await Promise.all([person, made].map((key) => platform.request('GET', '/whoami', { key })))
  expect(theirs?.json).toEqual(mine?.json)
  const again = await Promise.all([person, await newPerson()].map((key) => call(key, 'POST', '/me/keys/approve', body)))
  expect(again.map(({ json }) => json.error)).toEqual(['already_exists', 'already_exists'])
  await call(person, 'DELETE', `/me/keys/${json.id}`)
  expect(await isApproved(made)).toEqual({ isApproved: false })
})

test.each([
  { hash: 'assay_key' },
  { hash: 'A'.repeat(64) },
  { prefix: 'assay_<b>ab' },
  { prefix: '' },
  { name: ' ' },
  { expiresAt: '2020-01-01T00:00:00Z' },
])('no key is approved with %j', async (wrong) => {
  const body = { name: 'Laptop', hash: hashApiKey(newApiKey()), prefix: 'assay_Zk3x9Q', ...wrong }
  expect((await call(await newPerson(), 'POST', '/me/keys/approve', body)).json.error).toBe('invalid_argument')
})

test('of two people who approve one key at once, one gets it', async () => {
  const body = { name: 'Laptop', hash: hashApiKey(newApiKey()), prefix: 'assay_Zk3x9Q' }
  const people = await Promise.all([newPerson(), newPerson('member', ['lab'])])
  const answers = await Promise.all(people.map((key) => call(key, 'POST', '/me/keys/approve', body)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
})

test('a person creates a key that acts as them, and only its creation shows it', async () => {
  const person = await newPerson()
  const { apiKey, key } = await createOwn(person, { name: '  Laptop  ' })
  expect(apiKey).toMatchObject({ name: 'Laptop', kind: 'personal', role: 'member', isCurrent: false, isDemo: false })
  expect(key.startsWith(apiKey.prefix ?? '?')).toBe(true)
  const [mine, theirs] = await Promise.all(
    [person, key].map((each) => platform.request('GET', '/whoami', { key: each })),
  )
  expect(theirs?.json).toEqual(mine?.json)
  const listed = await listOwn(key)
  expect(listed.map(({ id, isCurrent }) => [id, isCurrent])).toContainEqual([apiKey.id, true])
  expect(JSON.stringify([listed, await listAll()])).not.toContain(key)
})

test('an organization key acts under its own name with the role that an admin gave it', async () => {
  const { apiKey, key } = await createForOrganization(platform.admin, { name: 'Nightly' })
  expect(apiKey).toMatchObject({ name: 'Nightly', kind: 'organization', role: 'member' })
  const who = (await platform.request('GET', '/whoami', { key })).json
  expect(who).toMatchObject({ keyKind: 'organization', actor: { id: apiKey.id, name: 'Nightly' } })
  expect(who.organizations.map(({ role }: { role: string }) => role)).toEqual(['member'])
})

test('a new personal key has access to this organization only, whatever its owner is a member of', async () => {
  await createOrganization(platform.services, { slug: 'elsewhere' })
  const person = await newPerson('admin', ['lab', 'elsewhere'])
  const { key } = await createOwnIn(person, 'lab')
  const who = (await platform.request('GET', '/whoami', { key })).json
  expect(who.organizations.map(({ slug }: { slug: string }) => slug)).toEqual(['lab'])
})

const organizationId = async (key: string, slug: string) => {
  const { organizations } = (await platform.request('GET', '/whoami', { key })).json
  return organizations.find((each: { slug: string }) => each.slug === slug).id as string
}

const createOwnIn = async (key: string, slug: string) =>
  (await call(key, 'POST', `/me/keys?org_id=${await organizationId(key, slug)}`, { name: 'One' })).json as {
    apiKey: ApiKey
    key: string
  }

test.for([
  ['GET', '/keys'],
  ['POST', '/keys'],
  ['POST', '/keys/x/rotate'],
  ['DELETE', '/keys/x'],
] as const)(
  '403 permission_denied for a member, and for an organization key with their role, on %s %s',
  async ([method, path]) => {
    const body = method === 'POST' ? { name: 'Mine', role: 'admin' } : undefined
    const { key } = await createForOrganization(platform.admin)
    for (const caller of [await newPerson(), key]) expect((await call(caller, method, path, body)).status).toBe(403)
  },
)

test('403 permission_denied when an organization key asks for personal keys, so it never acts as its creator', async () => {
  const { key } = await createForOrganization(platform.admin, { role: 'admin' })
  expect((await call(key, 'POST', '/me/keys', { name: 'x' })).status).toBe(403)
  expect((await call(key, 'GET', '/me/keys')).status).toBe(403)
})

test('an admin cannot rotate the personal key of somebody else, which would give them that person’s key', async () => {
  const { apiKey } = await createOwn(await newPerson())
  const { status, json } = await call(platform.admin, 'POST', `/keys/${apiKey.id}/rotate`)
  expect([status, json.message]).toEqual([403, 'Only the owner of a personal key can rotate it'])
})

test('404 for the key of another person or of another organization, the same as for one that does not exist', async () => {
  const { apiKey: theirs } = await createOwn(await newPerson())
  await createOrganization(platform.services, { slug: 'foreign' })
  const foreigner = await newPerson('admin', ['foreign'])
  const { apiKey: foreign } = await createForOrganization(foreigner)
  const person = await newPerson()
  const answers = await Promise.all([
    call(person, 'DELETE', `/me/keys/${theirs.id}`),
    call(person, 'POST', `/me/keys/${theirs.id}/rotate`),
    call(platform.admin, 'DELETE', `/keys/${foreign.id}`),
    call(platform.admin, 'POST', `/keys/${foreign.id}/rotate`),
    call(platform.admin, 'DELETE', '/keys/00000000-0000-4000-8000-000000000000'),
    call(platform.admin, 'DELETE', '/keys/not-a-uuid'),
  ])
  for (const { status, json } of answers)
    expect([status, json.message]).toEqual([404, 'There is no such key in this organization'])
  expect((await listAll(foreigner)).map(({ id }) => id)).toContain(foreign.id)
})

test('a revoked key stops working at once and leaves the list, and revoking it again changes nothing', async () => {
  const person = await newPerson()
  const { apiKey, key } = await createOwn(person)
  expect((await call(person, 'DELETE', `/me/keys/${apiKey.id}`)).status).toBe(204)
  expect((await call(person, 'DELETE', `/me/keys/${apiKey.id}`)).status).toBe(204)
  expect(await works(key)).toBe(false)
  expect((await listOwn(person)).map(({ id }) => id)).not.toContain(apiKey.id)
})

test('an admin ends the access of a key to their organization, and nothing in another organization', async () => {
  await createOrganization(platform.services, { slug: 'both' })
  const email = 'of-both@lab.example'
  const person = await platform.newKey({ organizations: ['lab', 'both'], email })
  const keyOfBoth = (await listAll()).find(({ owner }) => owner.email === email)
  expect((await call(platform.admin, 'DELETE', `/keys/${keyOfBoth?.id}`)).status).toBe(204)
  const who = (await platform.request('GET', '/whoami', { key: person })).json
  expect(who.organizations.map(({ slug }: { slug: string }) => slug)).toEqual(['both'])
})

test('both keys work after a rotation, until the old one expires', async () => {
  const person = await newPerson()
  const { apiKey: old, key: oldKey } = await createOwn(person)
  const { status, json } = await call(person, 'POST', `/me/keys/${old.id}/rotate`, { overlapHours: 2 })
  expect(status).toBe(201)
  expect([await works(oldKey), await works(json.key)]).toEqual([true, true])
  const listed = (await listOwn(person)).find(({ id }) => id === old.id)
  expect(listed?.replacedBy).toBe(json.apiKey.id)
  const hours = (Date.parse(listed?.expiresAt ?? '') - Date.now()) / 3_600_000
  expect(Math.round(hours)).toBe(2)
})

test('a rotation without overlap ends the old key at once', async () => {
  const { apiKey: old, key: oldKey } = await createForOrganization(platform.admin)
  const { json } = await call(platform.admin, 'POST', `/keys/${old.id}/rotate`, { overlapHours: 0 })
  expect([await works(oldKey), await works(json.key)]).toEqual([false, true])
  expect(json.apiKey).toMatchObject({ name: old.name, role: old.role, kind: 'organization' })
})

test('a rotation never makes the old key last longer', async () => {
  const person = await newPerson()
  const soon = new Date(Date.now() + 60_000).toISOString()
  const { apiKey } = await createOwn(person, { expiresAt: soon })
  await call(person, 'POST', `/me/keys/${apiKey.id}/rotate`, { overlapHours: 24 })
  const listed = (await listOwn(person)).find(({ id }) => id === apiKey.id)
  expect(Date.parse(listed?.expiresAt ?? '')).toBe(Date.parse(soon))
})

test('one of two concurrent rotations of a key succeeds, and the other reports that the key was already rotated', async () => {
  const person = await newPerson()
  const { apiKey } = await createOwn(person)
  const answers = await Promise.all([1, 2].map(() => call(person, 'POST', `/me/keys/${apiKey.id}/rotate`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expect((await listOwn(person)).filter(({ id }) => id !== apiKey.id)).toHaveLength(2)
})

test('403 when a key would be rotated that has access to organizations of which the caller’s key has none', async () => {
  await createOrganization(platform.services, { slug: 'wide' })
  const wide = await newPerson('admin', ['lab', 'wide'])
  const { key: narrow } = await createOwnIn(wide, 'lab')
  const listed = (await listOwn(narrow)).find(({ isCurrent }) => !isCurrent)
  const { status, json } = await call(narrow, 'POST', `/me/keys/${listed?.id}/rotate`)
  expect([status, json.message]).toEqual([
    403,
    'This key also has access to other organizations. Create a new key instead',
  ])
})

test('401 for an expired key, and only the audit log says that it expired', async () => {
  const person = await newPerson()
  const { apiKey, key } = await createOwn(person, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
  await platform.services.db.execute(
    sql`update api_keys set expires_at = now() - interval '1 second' where id = ${apiKey.id}`,
  )
  const { status, json } = await platform.request('GET', '/whoami', { key })
  const unknown = await platform.request('GET', '/whoami', { key: key.replace(/.{6}$/, 'AAAAAA') })
  expect([status, json.message]).toEqual([401, unknown.json.message])
  const refusals = async () => {
    const events = await listEvents(platform.services, { limit: 20 })
    const ofKey = events.filter(({ subject, event }) => subject === apiKey.id && event === 'authentication')
    return ofKey.map(({ details }) => details['reason'])
  }
  await expect.poll(refusals).toEqual(['expired key'])
  const refused = await call(person, 'POST', `/me/keys/${apiKey.id}/rotate`)
  expect([refused.status, refused.json.error]).toEqual([412, 'failed_precondition'])
  expect((await listOwn(person)).map(({ id }) => id)).toContain(apiKey.id)
})

test('400 invalid_argument for an expiry in the past, a blank name and an overlap over a week', async () => {
  const { apiKey } = await createForOrganization(platform.admin)
  const wrong = [
    call(platform.admin, 'POST', '/me/keys', { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }),
    call(platform.admin, 'POST', '/me/keys', { name: '  ' }),
    call(platform.admin, 'POST', `/keys/${apiKey.id}/rotate`, { overlapHours: 169 }),
    call(platform.admin, 'POST', `/keys/${apiKey.id}/rotate`, { overlapHours: -1 }),
    call(platform.admin, 'POST', '/keys', { name: 'x', role: 'owner' }),
  ]
  for (const { status, json } of await Promise.all(wrong))
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  expect((await wrong[0])?.json.message).toBe('`expiresAt` must be in the future')
})

test('the last use of a key is recorded without delaying the request, and about once a minute', async () => {
  const { apiKey, key } = await createOwn(await newPerson())
  expect(apiKey.lastUsedAt).toBeUndefined()
  await works(key)
  const lastUse = async () => (await listAll()).find(({ id }) => id === apiKey.id)?.lastUsedAt
  await expect.poll(lastUse).toBeDefined()
  const first = await lastUse()
  for (let use = 0; use < 5; use += 1) await works(key)
  expect(await lastUse()).toBe(first)
})

test('a key of a removed member is listed without a role, because it has no access', async () => {
  const email = 'gone@lab.example'
  const { apiKey } = await createOwn(await platform.newKey({ role: 'member', email }))
  await removeMember(platform.services, { org: 'lab', email })
  expect((await listAll()).find(({ id }) => id === apiKey.id)).not.toHaveProperty('role')
})

test('a personal key has the present role of its owner, including in the list', async () => {
  const email = 'rising@lab.example'
  const { apiKey } = await createOwn(await platform.newKey({ role: 'member', email }))
  await setMember(platform.services, { org: 'lab', email, role: 'admin' })
  expect((await listAll()).find(({ id }) => id === apiKey.id)?.role).toBe('admin')
})

test('creation, rotation and revocation are in the audit log, and the keys are not', async () => {
  const person = await newPerson()
  const { apiKey, key } = await createOwn(person)
  const { json } = await call(person, 'POST', `/me/keys/${apiKey.id}/rotate`)
  await call(person, 'DELETE', `/me/keys/${json.apiKey.id}`)
  const events = await listEvents(platform.services, { organizationId: platform.organization.id, limit: 50 })
  const ids = new Set<string | null>([apiKey.id, json.apiKey.id])
  expect(events.filter(({ subject }) => ids.has(subject)).map(({ event }) => event)).toEqual([
    'key.revoke',
    'key.rotate',
    'key.create',
  ])
  expect(JSON.stringify(events)).not.toContain(key)
  expect(JSON.stringify(events)).not.toContain(json.key)
})

test('pages of keys neither repeat nor skip one', async () => {
  const person = await newPerson()
  for (const name of ['a', 'b', 'c', 'd']) await createOwn(person, { name })
  const names: string[] = []
  let token = ''
  do {
    const { json } = await call(person, 'GET', `/me/keys?page_size=2&page_token=${token}`)
    names.push(...json.keys.map((each: ApiKey) => each.name))
    token = json.nextPageToken ?? ''
  } while (token !== '')
  expect(names.slice(0, 4)).toEqual(['d', 'c', 'b', 'a'])
  expect(names).toHaveLength(5)
})
