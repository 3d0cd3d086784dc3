import { randomUUID } from 'node:crypto'

import { afterAll, expect, test } from 'vitest'

import type { NotificationEntry, NotificationFeed } from '#contract/notifications.ts'
import { notificationEvents } from '#platform/ground/database/tables/notifications.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { confirmAddress } from '#platform/program/testing/mail-addresses.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { announce } from './announce.ts'
import { notify } from './notify.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

let people = 0
/** Creates a person with a feed of their own. */
async function newReader(given: { organizations?: string[] } = {}) {
  people += 1
  const key = await platform.newKey({ role: 'member', email: `reader${people}@lab.example`, ...given })
  const { actor } = (await platform.request('GET', '/whoami', { key })).json
  const list = async (query = ''): Promise<NotificationFeed> =>
    (await platform.request('GET', `/notifications${query}`, { key })).json
  const read = (ids: string[], query = '') =>
    platform.request('POST', `/notifications/read${query}`, { key, body: { event_ids: ids } })
  return { key, userId: String(actor.id), list, read }
}

/** Notifies one person, as a verb does. */
const notifyReader = (
  userId: string,
  { source = randomUUID(), title = 'Finding', organizationId = '', quietSeconds = 0 } = {},
) =>
  platform.services.db.transaction((tx) =>
    notify(tx, {
      type: 'report.updated',
      organizationId: organizationId || platform.organization.id,
      source,
      actor: { id: 'a', name: 'Ada' },
      subject: { type: 'report', id: 'r' },
      payload: { title },
      to: { userIds: [userId] },
      ...(quietSeconds > 0 && { quietSeconds }),
    }),
  )

const titles = ({ entries }: NotificationFeed) => entries.map(({ payload }) => payload['title'])
const ids = (entries: readonly NotificationEntry[]) => entries.map((entry) => entry.event_id)

test('an entry has its documented fields in snake_case, and read_at is null while it is unread', async () => {
  const reader = await newReader()
  await notifyReader(reader.userId)
  const { entries, next_cursor } = await reader.list()
  expect(next_cursor).toBeNull()
  expect(entries).toEqual([
    {
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'report.updated',
      schema_version: 1,
      occurred_at: expect.stringMatching(/^\d{4}-.*Z$/),
      actor: { id: 'a', name: 'Ada' },
      subject: { type: 'report', id: 'r' },
      scope: { type: 'organization', id: platform.organization.id },
      payload: { title: 'Finding' },
      created_at: entries[0]?.occurred_at,
      read_at: null,
    },
  ])
})

test('the feed is newest first, 50 entries a page by default, and next_cursor is null on the last page', async () => {
  const reader = await newReader()
  for (let at = 0; at < 53; at += 1) await notifyReader(reader.userId, { title: `${at}` })
  const first = await reader.list()
  expect(titles(first)).toEqual(Array.from({ length: 50 }, (_, at) => `${52 - at}`))
  const last = await reader.list(`?cursor=${first.next_cursor}`)
  expect([titles(last), last.next_cursor]).toEqual([['2', '1', '0'], null])
  expect((await reader.list('?page_size=3')).entries).toHaveLength(3)
})

test.each(['page_size=101', 'page_size=0', 'page_size=x', 'cursor=nonsense', 'unread_only=yes'])(
  '400 invalid_argument for the notification query %s',
  async (query) => {
    const { key } = await newReader()
    const { status, json } = await platform.request('GET', `/notifications?${query}`, { key })
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  },
)

test('400 invalid_argument for a cursor of another feed or with another filter', async () => {
  const [reader, other] = [await newReader(), await newReader()]
  for (let at = 0; at < 3; at += 1) await notifyReader(reader.userId)
  const { next_cursor } = await reader.list('?page_size=1')
  expect((await reader.list(`?page_size=100&unread_only=false&cursor=${next_cursor}`)).entries).toHaveLength(2)
  for (const [key, filter] of [
    [reader.key, 'unread_only=true&'],
    [other.key, ''],
  ]) {
    const { status, json } = await platform.request('GET', `/notifications?${filter}cursor=${next_cursor}`, { key })
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  }
})

test('unread_only leaves out read entries', async () => {
  const reader = await newReader()
  for (const title of ['a', 'b', 'c']) await notifyReader(reader.userId, { title })
  const [newest] = (await reader.list()).entries
  await reader.read([newest?.event_id ?? ''])
  expect(titles(await reader.list('?unread_only=true'))).toEqual(['b', 'a'])
  expect(titles(await reader.list('?unread_only=false'))).toEqual(['c', 'b', 'a'])
})

test('a search finds entries by words of their type, actor and payload, and its pages do not mix with others', async () => {
  const reader = await newReader()
  for (const title of ['Roman numerals', 'Roman roads', '100% solved']) await notifyReader(reader.userId, { title })
  const found = async (search: string) => titles(await reader.list(`?search=${encodeURIComponent(search)}`))
  expect(await found('ROMAN')).toEqual(['Roman roads', 'Roman numerals'])
  expect(await found('ada report numerals')).toEqual(['Roman numerals'])
  expect(await found('100%')).toEqual(['100% solved'])
  expect(await found('title')).toEqual([])
  const { next_cursor } = await reader.list('?search=roman&page_size=1')
  expect(titles(await reader.list(`?search=roman&cursor=${next_cursor}`))).toEqual(['Roman numerals'])
  const { status } = await platform.request('GET', `/notifications?cursor=${next_cursor}`, { key: reader.key })
  expect(status).toBe(400)
})

test('marking counts entries that were unread; repeated, unknown and foreign ids do not count', async () => {
  const [reader, other] = [await newReader(), await newReader()]
  for (let at = 0; at < 3; at += 1) await notifyReader(reader.userId)
  await notifyReader(other.userId)
  const mine = ids((await reader.list()).entries)
  const others = ids((await other.list()).entries)
  const sent = [...mine, ...mine, ...others, randomUUID(), 'no uuid', '', 'x'.repeat(201)]
  expect((await reader.read(sent)).json).toEqual({ marked_count: 3 })
  const read = (await reader.list()).entries.map((entry) => entry.read_at)
  expect((await reader.read(sent)).json).toEqual({ marked_count: 0 })
  expect((await reader.list()).entries.map((entry) => entry.read_at)).toEqual(read)
  expect((await other.list()).entries[0]?.read_at).toBeNull()
})

test.each([[[]], [Array.from({ length: 101 }, () => randomUUID())]])(
  '400 invalid_argument for a number of event_ids outside 1 to 100',
  async (event_ids) => {
    const { key } = await newReader()
    const { status, json } = await platform.request('POST', '/notifications/read', { key, body: { event_ids } })
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  },
)

test('403 permission_denied for an organization key on every notification route, with a message that explains it', async () => {
  const key = await platform.newKey({ kind: 'organization' })
  const body = { event_ids: [randomUUID()] }
  for (const response of [
    await platform.request('GET', '/notifications', { key }),
    await platform.request('POST', '/notifications/read', { key, body }),
    await platform.request('POST', '/rpc/NotificationService/ListNotificationFeed', { key, body: {} }),
    await platform.request('POST', '/rpc/NotificationService/MarkNotificationFeedEntriesRead', { key, body }),
  ]) {
    expect([response.status, response.json.error]).toEqual([403, 'permission_denied'])
    expect(response.json.message).toContain('personal API key')
  }
})

test('401 unauthenticated for notifications without a key', async () => {
  expect((await platform.request('GET', '/notifications', { key: '' })).status).toBe(401)
})

test('entries of another organization are hidden and cannot be marked; entries of no organization appear under each', async () => {
  const elsewhere = await createOrganization(platform.services, { slug: `elsewhere-${randomUUID().slice(0, 8)}` })
  const reader = await newReader({ organizations: ['lab', elsewhere.slug] })
  const [here, there] = [`?org_id=${platform.organization.id}`, `?org_id=${elsewhere.id}`]
  await notifyReader(reader.userId, { title: 'here' })
  await notifyReader(reader.userId, { title: 'there', organizationId: elsewhere.id })
  await announce(platform.services, { title: 'everywhere', message: 'Maintenance on Sunday' })
  expect(titles(await reader.list(here))).toEqual(['everywhere', 'here'])
  expect(titles(await reader.list(there))).toEqual(['everywhere', 'there'])
  expect((await reader.list(there)).entries[0]?.scope).toBeNull()
  const inThere = ids((await reader.list(there)).entries)
  expect((await reader.read(inThere, here)).json).toEqual({ marked_count: 1 })
  expect((await reader.list(there)).entries.map((entry) => entry.read_at === null)).toEqual([false, true])
  expect((await platform.request('GET', '/notifications', { key: reader.key })).status).toBe(400)
})

test('the RPC form accepts orgId in its body and wraps the REST answer in result', async () => {
  const elsewhere = await createOrganization(platform.services, { slug: `rpc-${randomUUID().slice(0, 8)}` })
  const { key, userId, list } = await newReader({ organizations: ['lab', elsewhere.slug] })
  for (const title of ['a', 'b']) await notifyReader(userId, { title, organizationId: elsewhere.id })
  const call = (operation: string, body: object) =>
    platform.request('POST', `/rpc/NotificationService/${operation}`, { key, body })
  const page = { orgId: elsewhere.id, pageSize: 1, unreadOnly: true }
  const { json } = await call('ListNotificationFeed', page)
  const rest = await list(`?org_id=${elsewhere.id}&page_size=1&unread_only=true`)
  expect(json).toEqual({ result: rest })
  const next = await call('ListNotificationFeed', { ...page, cursor: rest.next_cursor })
  expect(titles(next.json.result)).toEqual(['a'])
  const marked = await call('MarkNotificationFeedEntriesRead', { orgId: elsewhere.id, eventIds: ids(rest.entries) })
  expect(marked.json).toEqual({ result: { marked_count: 1 } })
  expect((await call('ListNotificationFeed', {})).status).toBe(400)
  expect((await call('ListNotificationFeed', { orgId: randomUUID() })).status).toBe(403)
})

test('a source that notifies twice, even concurrently, creates one entry', async () => {
  const reader = await newReader()
  const source = randomUUID()
  await Promise.all(Array.from({ length: 5 }, () => notifyReader(reader.userId, { source })))
  expect((await reader.list()).entries).toHaveLength(1)
})

test('a person notified of the same subject a moment ago is not notified again, but others are', async () => {
  const [reader, other] = [await newReader(), await newReader()]
  await notifyReader(reader.userId)
  await notifyReader(reader.userId, { quietSeconds: 60 })
  await notifyReader(other.userId, { quietSeconds: 60 })
  expect((await reader.list()).entries).toHaveLength(1)
  expect((await other.list()).entries).toHaveLength(1)
})

/** Counts the events that a save of a report makes for one reader. */
async function countEvents(userId: string, times: number) {
  const before = await platform.services.db.$count(notificationEvents)
  for (let time = 0; time < times; time += 1) await notifyReader(userId, { quietSeconds: 60 })
  return (await platform.services.db.$count(notificationEvents)) - before
}

test('an event that its only reader has muted and gets no email of is not stored', async () => {
  const reader = await newReader()
  const body = { choices: [{ type: 'report.updated', inApp: false, email: 'now' }] }
  await platform.request('PATCH', '/admin/v1/me/notification-settings', { key: reader.key, body })
  expect(await countEvents(reader.userId, 2)).toBe(0)
  await confirmAddress(platform, reader.key)
  expect(await countEvents(reader.userId, 2)).toBe(1)
})

test('a change that is rolled back notifies nobody', async () => {
  const reader = await newReader()
  const failing = platform.services.db.transaction(async (tx) => {
    const notice = { type: 'report.updated', subject: { type: 'report', id: 'r' }, payload: { title: 'x' } } as const
    const to = { userIds: [reader.userId] }
    await notify(tx, { ...notice, organizationId: platform.organization.id, source: randomUUID(), actor: null, to })
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect((await reader.list()).entries).toEqual([])
})

test('an announcement with a used reference is not sent again', async () => {
  const reader = await newReader()
  const announcement = { title: 'Once', message: 'x', reference: 'r1' }
  expect(await announce(platform.services, announcement)).toBeGreaterThan(0)
  expect(await announce(platform.services, announcement)).toBe(0)
  expect(titles(await reader.list())).toEqual(['Once'])
})
