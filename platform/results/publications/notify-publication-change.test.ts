import { afterAll, expect, test } from 'vitest'

import type { NotificationEntry } from '#contract/notifications.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
const member = await platform.newKey({ role: 'member' })
afterAll(() => platform.close())

async function toldOf(key: string, slug: string) {
  const entries: NotificationEntry[] = (await platform.request('GET', '/notifications', { key })).json.entries
  return entries.filter(({ payload }) => payload['slug'] === slug).map(({ type }) => type)
}

const save = (slug: string, key: string) =>
  platform.request('POST', '/insights', { key, body: { heading: slug, slug, sql: 'SELECT 1 AS one' } })
const share = (slug: string, key: string) => platform.request('POST', `/insights/${slug}/share`, { key })
const remove = (slug: string, key: string) => platform.request('DELETE', `/insights/${slug}`, { key })

test('admins are notified once when a member publishes or deletes an insight, and the member is not', async () => {
  await save('by-member', member)
  await Promise.all([share('by-member', member), share('by-member', member)])
  await remove('by-member', member)
  await remove('by-member', member)
  expect(await toldOf(platform.admin, 'by-member')).toEqual(['insight.revoked', 'insight.published'])
  expect(await toldOf(member, 'by-member')).toEqual([])
})

test('a member is notified when an admin publishes or deletes the member’s insight', async () => {
  await save('of-member', member)
  await share('of-member', platform.admin)
  await remove('of-member', platform.admin)
  expect(await toldOf(member, 'of-member')).toEqual(['insight.revoked', 'insight.published'])
  expect(await toldOf(platform.admin, 'of-member')).toEqual([])
})

test('deleting an unpublished insight, or failing to delete one, notifies nobody', async () => {
  await save('private', member)
  await remove('private', member)
  await save('of-admin', platform.admin)
  await share('of-admin', platform.admin)
  expect((await remove('of-admin', member)).status).toBe(403)
  expect(await toldOf(platform.admin, 'private')).toEqual([])
  expect(await toldOf(platform.admin, 'of-admin')).toEqual([])
})

test('no notification contains the public address', async () => {
  await save('address', member)
  const { url } = (await share('address', member)).json
  const { text } = await platform.request('GET', '/notifications')
  expect(text).toContain('"address"')
  expect(text).not.toContain(String(url).split('/').at(-1))
})
