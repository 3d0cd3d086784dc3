import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import type { Invitation } from '#contract/invitations.ts'
import { limits } from '#contract/wire/limit.ts'
import { listEvents } from '#platform/people/audit/list-events.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { removeMember } from '#platform/people/identity/remove-member.ts'
import { setMember } from '#platform/people/identity/set-member.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { inviteAsOperator } from './manage-invitations.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

type Method = 'GET' | 'POST' | 'DELETE'

const call = async (key: string, method: Method, path: string, body?: unknown) => {
  const { status, json } = await platform.request(method, `/admin/v1${path}`, { key, body })
  return { status, json }
}

let people = 0
const newEmail = () => `invited${(people += 1)}@lab.example`

async function invite(body: object = {}, key = platform.admin) {
  const sent = { email: newEmail(), role: 'member', ...body }
  const { status, json } = await call(key, 'POST', '/invitations', sent)
  expect([status, json.message]).toEqual([201, undefined])
  const { invitation, link } = json as { invitation: Invitation; link: string }
  return { ...invitation, token: link.slice(link.indexOf('#') + 1), link }
}

async function inviteAsTheOperator(email: string) {
  const context = { ...platform.services, organization: platform.organization }
  const { link } = await inviteAsOperator(context, { email, role: 'member', expiresInDays: 7 })
  return link.slice(link.indexOf('#') + 1)
}

/** The ids of the keys of a person, as an admin lists them. */
async function keysOf(email: string, by = platform.admin) {
  const { keys } = (await call(by, 'GET', '/keys?page_size=1000')).json
  return (keys as { id: string; owner: { email: string } }[])
    .filter(({ owner }) => owner.email === email)
    .map(({ id }) => id)
}

const show = (token: string) => call(token, 'GET', '/invitation')
const joinAnew = (token: string, name = 'Grace Hopper') => call(token, 'POST', '/invitation/join', { name })
const accept = (key: string, token: string) => call(key, 'POST', '/join', { token })
const whoami = async (key: string) => (await platform.request('GET', '/whoami', { key })).json
const open = async () => (await call(platform.admin, 'GET', '/invitations')).json.invitations as Invitation[]
const hasAccount = (email: string) =>
  `${email} already has an account. Sign in to join lab. If no API key of yours works, ask the operator for a new one`
const keyEnded = [
  412,
  'failed_precondition',
  'The API key that created this invitation was revoked. Ask an admin for a new one',
]
const answered = ({ status, json }: Awaited<ReturnType<typeof call>>) => [status, json?.error, json?.message]
const change = (text: ReturnType<typeof sql>) => platform.services.db.execute(text)

test('a new person joins by a link with the role of the invitation, and gets a key that only this answer shows', async () => {
  const { token, email, id } = await invite({ role: 'admin', email: 'Grace@Lab.Example', expiresInDays: 3 })
  expect(email).toBe('grace@lab.example')
  expect((await open()).map((each) => each.id)).toContain(id)
  const shown = await show(token)
  expect(shown.json).toMatchObject({
    organizationName: 'lab',
    role: 'admin',
    email,
    invitedBy: 'person1',
    mustSignIn: false,
  })
  const { status, json } = await joinAnew(token, '  Grace Hopper ')
  expect([status, json.organization.slug, json.organization.role]).toEqual([201, 'lab', 'admin'])
  expect(await whoami(json.key)).toMatchObject({
    actor: { email, name: 'Grace Hopper' },
    organizations: [{ slug: 'lab', role: 'admin' }],
  })
  expect((await open()).map((each) => each.id)).not.toContain(id)
})

test('the token is stored nowhere, and the link has it in the fragment', async () => {
  const { link, token } = await invite()
  expect(link).toBe(`https://assay.example/join#${token}`)
  const { rows } = (await change(sql`select * from invitations`)) as unknown as { rows: unknown[] }
  expect(JSON.stringify([rows, await open()])).not.toContain(token)
})

test('a person of another organization joins with the key they have, which then sees both', async () => {
  await createOrganization(platform.services, { slug: 'other' })
  const email = newEmail()
  const key = await platform.newKey({ organizations: ['other'], role: 'admin', email })
  const { token } = await invite({ email })
  expect((await show(token)).json.mustSignIn).toBe(true)
  expect(answered(await joinAnew(token))).toEqual([412, 'failed_precondition', hasAccount(email)])
  expect((await whoami(key)).organizations).toHaveLength(1)
  expect((await accept(key, token)).json).toMatchObject({ slug: 'lab', role: 'member' })
  expect(
    (await whoami(key)).organizations.map((each: { slug: string; role: string }) => [each.slug, each.role]),
  ).toEqual([
    ['lab', 'member'],
    ['other', 'admin'],
  ])
})

test('a removed member comes back with their key, and once none works, with a new one from the operator only', async () => {
  const email = newEmail()
  const key = await platform.newKey({ role: 'member', email })
  await removeMember(platform.services, { org: 'lab', email })
  const first = await invite({ email })
  expect((await accept(key, first.token)).status).toBe(200)
  expect((await whoami(key)).organizations).toHaveLength(1)
  await removeMember(platform.services, { org: 'lab', email })
  for (const id of await keysOf(email)) await call(platform.admin, 'DELETE', `/keys/${id}`)
  const second = await invite({ email })
  expect(answered(await joinAnew(second.token))).toEqual([412, 'failed_precondition', hasAccount(email)])
  await call(platform.admin, 'DELETE', `/invitations/${second.id}`)
  const token = await inviteAsTheOperator(email)
  expect((await show(token)).json.mustSignIn).toBe(false)
  const { json } = await joinAnew(token, 'Somebody else')
  expect((await whoami(json.key)).actor).toMatchObject({ email, name: email.split('@')[0] })
})

test('an invitation gives nobody a key of a person of another organization whose key was revoked', async () => {
  await createOrganization(platform.services, { slug: 'elsewhere' })
  const otherAdmin = await platform.newKey({ organizations: ['elsewhere'] })
  const email = newEmail()
  const key = await platform.newKey({ organizations: ['elsewhere'], role: 'admin', email })
  for (const id of await keysOf(email, otherAdmin)) await call(otherAdmin, 'DELETE', `/keys/${id}`)
  expect((await platform.request('GET', '/whoami', { key })).status).toBe(401)
  const { token } = await invite({ email })
  const shown = (await show(token)).json
  expect([shown.mustSignIn, 'hasKey' in shown]).toEqual([true, false])
  expect(answered(await joinAnew(token))).toEqual([412, 'failed_precondition', hasAccount(email)])
  const { rows } = (await change(sql`select k.id from api_keys k join users u on u.id = k.created_by
    where u.email = ${email} and k.revoked_at is null`)) as unknown as { rows: unknown[] }
  expect([rows, await keysOf(email)]).toEqual([[], []])
})

test('of many who use one link at once, one joins and the others read that it works once', async () => {
  const { token, email } = await invite()
  const answers = await Promise.all(Array.from({ length: 6 }, () => joinAnew(token)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const each of answers.filter(({ status }) => status !== 201))
    expect(answered(each)).toEqual([409, 'already_exists', `${email} is already a member of lab. Sign in to open it`])
  await removeMember(platform.services, { org: 'lab', email })
  expect(answered(await joinAnew(token))).toEqual([
    412,
    'failed_precondition',
    'This invitation has already been used, and a link works once. Ask person1 for a new one',
  ])
})

test('of two invitations to one new person in two organizations, used at once, one gives a key', async () => {
  await createOrganization(platform.services, { slug: 'twin' })
  const twin = await platform.newKey({ organizations: ['twin'] })
  const email = newEmail()
  const links = [await invite({ email }), await invite({ email }, twin)]
  const answers = await Promise.all(links.map(({ token }) => joinAnew(token)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 412])
})

test('an expired and a revoked invitation say so, and revoking twice changes nothing', async () => {
  const expired = await invite()
  await change(sql`update invitations set expires_at = now() where id = ${expired.id}`)
  const revoked = await invite()
  for (const _ of [1, 2]) expect((await call(platform.admin, 'DELETE', `/invitations/${revoked.id}`)).status).toBe(204)
  for (const [{ token, id }, why] of [
    [expired, 'has expired'],
    [revoked, 'was revoked'],
  ] as const) {
    for (const answer of [await show(token), await joinAnew(token)])
      expect(answered(answer)).toEqual([
        412,
        'failed_precondition',
        `This invitation ${why}. Ask person1 for a new one`,
      ])
    expect((await open()).map((each) => each.id)).not.toContain(id)
  }
})

test('a link ends when the person who sent it is demoted or removed, and with the key of the organization that did', async () => {
  const email = newEmail()
  const { token } = await invite({}, await platform.newKey({ role: 'admin', email }))
  const name = email.split('@')[0] ?? ''
  await setMember(platform.services, { org: 'lab', email, role: 'member' })
  expect(answered(await joinAnew(token))).toEqual([
    412,
    'failed_precondition',
    `${name} sent this invitation and is no longer an admin. Ask an admin for a new one`,
  ])
  await setMember(platform.services, { org: 'lab', email, role: 'admin' })
  expect((await show(token)).status).toBe(200)
  await removeMember(platform.services, { org: 'lab', email })
  expect((await joinAnew(token)).json.message).toContain('is no longer an admin')
  const made = await platform.request('POST', '/admin/v1/keys', { body: { name: 'HR', role: 'admin' } })
  const byKey = await invite({}, made.json.key)
  expect((await show(byKey.token)).json.invitedBy).toBe('HR')
  await call(platform.admin, 'DELETE', `/keys/${made.json.apiKey.id}`)
  expect(answered(await joinAnew(byKey.token))).toEqual(keyEnded)
})

test('a link ends when the key that created it is revoked or loses the organization, although its person stays an admin', async () => {
  const both = await createOrganization(platform.services, { slug: 'both' })
  const email = newEmail()
  const own = await platform.newKey({ email })
  const invitee = newEmail()
  const inviteeKey = await platform.newKey({ organizations: ['both'], role: 'member', email: invitee })
  for (const hasOtherAccess of [false, true]) {
    const before = await keysOf(email)
    const stolen = await platform.newKey({ email })
    const [fresh, known] = [await invite({}, stolen), await invite({ email: invitee }, stolen)]
    const id = (await keysOf(email)).find((each) => !before.includes(each))
    if (hasOtherAccess) await change(sql`insert into api_key_organizations values (${id}, ${both.id}, 'admin')`)
    expect((await call(platform.admin, 'DELETE', `/keys/${id}`)).status).toBe(204)
    expect((await whoami(own)).organizations).toMatchObject([{ slug: 'lab', role: 'admin' }])
    for (const answer of [await show(fresh.token), await joinAnew(fresh.token), await accept(inviteeKey, known.token)])
      expect(answered(answer)).toEqual(keyEnded)
    expect((await open()).map((each) => each.id)).not.toContain(fresh.id)
  }
})

test('an invitation outlives the key that created it, also when that is rotated with an overlap', async () => {
  const { json } = await platform.request('POST', '/admin/v1/me/keys', { body: { name: 'Laptop' } })
  const { token, expiresAt } = await invite({ expiresInDays: 30 }, json.key)
  expect((await call(platform.admin, 'POST', `/me/keys/${json.apiKey.id}/rotate`, { overlapHours: 24 })).status).toBe(
    201,
  )
  expect((await show(token)).json.expiresAt).toBe(expiresAt)
  await change(sql`update api_keys set expires_at = now() - interval '1 hour' where id = ${json.apiKey.id}`)
  await change(sql`update api_keys set created_at = now() - interval '2 hours' where replaces = ${json.apiKey.id}`)
  expect((await joinAnew(token)).status).toBe(201)
})

test('an invitation ends when the key that created it is rotated without an overlap, as after a leak', async () => {
  const { json } = await platform.request('POST', '/admin/v1/me/keys', { body: { name: 'Leaked' } })
  const { token } = await invite({}, json.key)
  expect((await call(platform.admin, 'POST', `/me/keys/${json.apiKey.id}/rotate`, { overlapHours: 0 })).status).toBe(
    201,
  )
  expect(answered(await joinAnew(token))).toEqual(keyEnded)
})

test('somebody else who is signed in reads whom the link is for, and it stays open', async () => {
  const { token, email } = await invite()
  const other = await platform.newKey({ role: 'member', email: 'max@lab.example' })
  expect(answered(await accept(other, token))).toEqual([
    403,
    'permission_denied',
    `This invitation is for ${email}, but you are signed in as max@lab.example. Sign out first`,
  ])
  expect((await show(token)).status).toBe(200)
})

test('404 for an unknown token; an API key does not work as an invitation token, nor the reverse', async () => {
  const unknown = `invite_${'x'.repeat(43)}`
  for (const answer of [
    await show(unknown),
    await joinAnew(unknown),
    await accept(platform.admin, unknown),
    await show(platform.admin),
  ])
    expect(answered(answer).slice(0, 2)).toEqual([404, 'not_found'])
  const { token } = await invite()
  expect((await platform.request('GET', '/whoami', { key: token })).status).toBe(401)
})

test('an existing member and a person with an open invitation are not invited again', async () => {
  const { email, id } = await invite()
  expect(answered(await call(platform.admin, 'POST', '/invitations', { email, role: 'admin' }))).toEqual([
    409,
    'already_exists',
    `${email} already has an open invitation. If the link was lost, revoke the invitation and create a new one`,
  ])
  await call(platform.admin, 'DELETE', `/invitations/${id}`)
  await invite({ email })
  await setMember(platform.services, { org: 'lab', email, role: 'member' })
  expect((await call(platform.admin, 'POST', '/invitations', { email, role: 'admin' })).json.message).toBe(
    `${email} is already a member of lab`,
  )
})

test('two admins who invite one person at once make one invitation', async () => {
  const email = newEmail()
  const send = () => call(platform.admin, 'POST', '/invitations', { email, role: 'member' })
  expect((await Promise.all([send(), send(), send()])).map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
})

test('an invitation that is used cannot be revoked, and that of another organization is 404', async () => {
  const { token, id } = await invite()
  await joinAnew(token)
  expect((await call(platform.admin, 'DELETE', `/invitations/${id}`)).status).toBe(412)
  await createOrganization(platform.services, { slug: 'foreign' })
  const foreign = await invite({}, await platform.newKey({ organizations: ['foreign'] }))
  for (const each of [foreign.id, '00000000-0000-4000-8000-000000000000', 'x'])
    expect(answered(await call(platform.admin, 'DELETE', `/invitations/${each}`))).toEqual([
      404,
      'not_found',
      'There is no such invitation in this organization',
    ])
  expect((await show(foreign.token)).status).toBe(200)
})

test.each([
  [{ email: 'no address' }, '`email` must be an email address'],
  [{ email: 'a@b.example', expiresInDays: 31 }, '`expiresInDays` must be 30 or less'],
  [{ email: 'a@b.example', expiresInDays: 0 }, '`expiresInDays` must be 1 or more'],
])('400 invalid_argument for %j', async (body, message) => {
  const { status, json } = await call(platform.admin, 'POST', '/invitations', { role: 'member', ...body })
  expect([status, json.message]).toEqual([400, message])
})

test.each(['a\u202eb', 'a\u0007b', ' ', 'x'.repeat(101)])(
  'a name such as %j is refused, and the link still works',
  async (name) => {
    const { token } = await invite()
    expect((await joinAnew(token, name)).status).toBe(400)
    expect((await show(token)).status).toBe(200)
  },
)

test('429 for too many open invitations', async () => {
  await createOrganization(platform.services, { slug: 'busy' })
  const key = await platform.newKey({ organizations: ['busy'] })
  const { id } = await invite({}, key)
  await change(sql`insert into invitations (id, organization_id, email, role, hash, created_by, created_with, expires_at)
    select gen_random_uuid(), organization_id, n || email, role, n || hash, created_by, created_with, expires_at
    from invitations, generate_series(2, ${limits.openInvitations}::int) n where id = ${id}`)
  expect((await call(key, 'POST', '/invitations', { email: newEmail(), role: 'member' })).status).toBe(429)
})

test('the audit log names who invited, who joined and how, and who revoked, without a token', async () => {
  const joined = await invite()
  await joinAnew(joined.token)
  const revoked = await invite()
  await call(platform.admin, 'DELETE', `/invitations/${revoked.id}`)
  const events = await listEvents(platform.services, { organizationId: platform.organization.id, limit: 10 })
  const told = events
    .filter(({ event }) => /^invitation|key.create/.test(event))
    .slice(0, 5)
    .map(({ event, subject, actorKind, actorName }) => [event, subject, actorKind, actorName])
  expect(told).toEqual([
    ['invitation.revoke', revoked.email, 'person', 'person1@lab.example'],
    ['invitation.create', revoked.email, 'person', 'person1@lab.example'],
    ['key.create', expect.any(String), 'person', joined.email],
    ['invitation.accept', joined.email, 'person', joined.email],
    ['invitation.create', joined.email, 'person', 'person1@lab.example'],
  ])
  expect(JSON.stringify(events)).not.toContain(joined.token)
})

test('the end of the demo ends the keys that its invitations gave and the invitations that are still open', async () => {
  const demo = await openTestPlatform()
  await demo.services.db.execute(sql`update api_keys set is_demo = true`)
  const inviteInDemo = async (email: string) => {
    const body = { email, role: 'admin', expiresInDays: 30 }
    return String((await demo.request('POST', '/admin/v1/invitations', { body })).json.link).split('#')[1] ?? ''
  }
  const join = (key: string) => demo.request('POST', '/admin/v1/invitation/join', { key, body: { name: 'New' } })
  const joined = await join(await inviteInDemo('new@lab.example'))
  const unused = await inviteInDemo('later@lab.example')
  expect((await demo.request('GET', '/whoami', { key: joined.json.key })).status).toBe(200)
  await createOrganization(demo.services, { slug: 'second' })
  expect((await demo.request('GET', '/whoami', { key: joined.json.key })).status).toBe(401)
  expect(answered(await join(unused))).toEqual(keyEnded)
  await demo.close()
})
