import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { listEvents } from '#platform/people/audit/list-events.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { setMember } from '#platform/people/identity/set-member.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
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

const named = async (email: string, name: string) => {
  const key = await platform.newKey({ role: 'member', email })
  return { key, name: (await rename('/me', name, key)).json?.name as string | undefined }
}

test.each([
  ['Rosa Perl', 'Rosa Perl'],
  ['Sven Berg', 'SVEN  berg'],
  ['Mara Lind', 'Ｍａｒａ Lind'],
  ['Pavel Roca', '\u0420avel R\u043ec\u0430'],
  ['Zoe Klein', 'Zoë Kl\u0435in'],
  ['Will Ilves', 'WiII llves'],
  ['Boris Norman', 'Boris Norrnan'],
])('of two members named %j and %j, the second is marked with their address everywhere', async (first, second) => {
  const own = first.replace(' ', '.').toLowerCase()
  expect((await named(`${own}@lab.example`, first)).name).toBe(first)
  const taker = await named(`${own}@elsewhere.example`, second)
  expect(taker.name).toBe(`${second.trim()} (${own}@elsewhere.example)`)
  const { members } = (await platform.request('GET', '/admin/v1/members?page_size=1000')).json
  const names = (members as { email: string; name: string }[]).filter(({ email }) => email.startsWith(`${own}@`))
  expect(names.map(({ name }) => name)).toEqual([taker.name, first])
  // The same name again stays marked once, and another name has no mark.
  expect((await rename('/me', taker.name, taker.key)).json.name).toBe(taker.name)
  expect((await rename('/me', `${second} the other`, taker.key)).json.name).toBe(`${second} the other`)
})

test('names of other organizations take nothing, and joining theirs marks the name of the one who joins', async () => {
  await createOrganization(platform.services, { slug: 'wing' })
  const first = await platform.newKey({ role: 'member', email: 'ina.moss@wing.example', organizations: ['wing'] })
  await rename('/me', 'Ina Moss', first)
  const { key, name } = await named('ina@lab.example', 'Ina Moss')
  expect(name).toBe('Ina Moss')
  await setMember(platform.services, { org: 'wing', email: 'ina@lab.example', role: 'member' })
  expect((await whoami(key)).actor.name).toBe('Ina Moss (ina@lab.example)')
  expect((await whoami(first)).actor.name).toBe('Ina Moss')
})

test('of many people who take one name at once, one has it without a mark', async () => {
  const keys = await Promise.all([1, 2, 3, 4].map((at) => platform.newKey({ email: `twin${at}@lab.example` })))
  const names = await Promise.all(keys.map(async (key) => (await rename('/me', 'Same Name', key)).json.name as string))
  expect(names.filter((name) => name === 'Same Name')).toHaveLength(1)
  expect(new Set(names).size).toBe(4)
})

test.each(['Ada Admin (ada@lab.example)', 'Ada ＠ Lab'])(
  '400 invalid_argument for %j, which looks marked',
  async (name) => {
    const key = await platform.newKey({ email: 'imitator@lab.example' })
    expect((await rename('/me', name, key)).status).toBe(400)
  },
)
