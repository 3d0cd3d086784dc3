import { afterAll, beforeAll, expect, test } from 'vitest'

import type { AuditEntry } from '#contract/audit.ts'
import { audited } from './audited.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
beforeAll(async () => {
  for (const slug of ['one', 'two', 'three'])
    await platform.request('PUT', `/secrets/${slug}`, { body: { value: 'very-secret-value' } })
  await platform.request('DELETE', '/secrets/one')
})
afterAll(() => platform.close())

const get = async (query = '', key = platform.admin) =>
  platform.request('GET', `/admin/v1/audit-events${query}`, { key })

const events = async (query = '') => (await get(query)).json.events as AuditEntry[]

test('the newest events come first, with the person, the subject and the address', async () => {
  const [newest] = await events()
  expect(newest).toMatchObject({
    event: 'secret.delete',
    outcome: 'accepted',
    actor: { kind: 'person', name: 'person1@lab.example' },
    subject: 'one',
    address: '127.0.0.1',
  })
})

test.each([
  ['a kind', '?event=secret.put', ['three', 'two', 'one']],
  ['several kinds', '?event=secret.delete,secret.put', ['one', 'three', 'two', 'one']],
  ['text in the subject', '?event=secret.put&search=TW', ['two']],
  ['text in the name of the actor', '?event=secret.delete&search=person1', ['one']],
  ['an outcome', '?outcome=refused', []],
  ['a time after all of them', '?since=2999-01-01T00:00:00Z', []],
  ['a time before all of them', '?until=2000-01-01T00:00:00Z', []],
])('a filter by %s leaves out every other event', async (_, query, subjects) => {
  expect((await events(query)).map(({ subject }) => subject)).toEqual(subjects)
})

test('the events of an API key are found by its name', async () => {
  const body = { name: 'Nightly job', role: 'member' }
  const { json } = await platform.request('POST', '/admin/v1/keys', { body })
  await platform.request('DELETE', `/admin/v1/keys/${json.apiKey.id}`)
  const found = await events('?search=nightly%20JOB')
  expect(found.map(({ event, subject }) => [event, subject])).toEqual([
    ['key.revoke', json.apiKey.id],
    ['key.create', json.apiKey.id],
  ])
})

test('pages neither repeat nor skip an event, and a page token belongs to its filters', async () => {
  const ids: string[] = []
  let token = ''
  do {
    const { json } = await get(`?page_size=2&page_token=${token}`)
    ids.push(...json.events.map(({ id }: AuditEntry) => id))
    token = json.nextPageToken ?? ''
  } while (token !== '')
  expect(ids).toEqual((await events('?page_size=200')).map(({ id }) => id))
  const first = await get('?page_size=2')
  expect((await get(`?event=secret.put&page_token=${first.json.nextPageToken}`)).status).toBe(400)
})

test('the file has every event that matches and their number, and no cell runs in a spreadsheet', async () => {
  await audited(platform.services, async (_, record) =>
    record({ event: 'secret.put', organizationId: platform.organization.id, subject: '=HYPERLINK("x")' }),
  )
  const all = await events('?event=secret.put')
  const csv = await get('/export?event=secret.put')
  expect(csv.headers).toMatchObject({ 'x-total-count': `${all.length}`, 'content-type': 'text/csv' })
  const lines = csv.text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(all.length + 1)
  expect(lines[1]).toContain(`"'=HYPERLINK(""x"")"`)
  const ndjson = await get('/export?event=secret.put&format=ndjson')
  expect(
    ndjson.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(all)
})

test('403 for members, and an admin sees no event of another organization or of the installation', async () => {
  const member = await platform.newKey({ role: 'member' })
  for (const path of ['', '/export']) expect((await get(path, member)).status).toBe(403)
  await createOrganization(platform.services, { slug: 'foreign' })
  const foreigner = await platform.newKey({ organizations: ['foreign'] })
  const seen = (await get('?page_size=200', foreigner)).json.events as AuditEntry[]
  expect(seen.map(({ event }) => event)).toEqual(['key.create', 'organization.create'])
  expect(await (await get('/export', foreigner)).text).not.toContain('secret.put')
})

test('400 for an unknown kind of event', async () => {
  const { status, json } = await get('?event=nothing')
  expect([status, json.error]).toEqual([400, 'invalid_argument'])
})
