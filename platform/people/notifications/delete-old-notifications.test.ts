import { randomUUID } from 'node:crypto'

import * as fc from 'fast-check'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import type { NotificationFeed } from '#contract/notifications.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { atLength } from '#tools/test-length.ts'
import { announce } from './announce.ts'
import { deleteOldNotifications } from './delete-old-notifications.ts'
import { notify } from './notify.ts'
import { notificationEntries, notificationEvents } from '#platform/ground/database/tables/notifications.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

async function newReader() {
  const key = await platform.newKey({ role: 'member', email: `${randomUUID()}@lab.example` })
  const { actor } = (await platform.request('GET', '/whoami', { key })).json
  const list = async (query = ''): Promise<NotificationFeed> =>
    (await platform.request('GET', `/notifications?${query || 'page_size=100'}`, { key })).json
  const titles = async () => (await list()).entries.map(({ payload }) => payload['title'])
  const notifyReader = (title: string) =>
    platform.services.db.transaction((tx) =>
      notify(tx, {
        type: 'report.updated',
        organizationId: platform.organization.id,
        source: randomUUID(),
        actor: null,
        subject: { type: 'report', id: 'r' },
        payload: { title },
        to: { userIds: [String(actor.id)] },
      }),
    )
  const readAll = async () => {
    const event_ids = (await list()).entries.map((entry) => entry.event_id)
    await platform.request('POST', '/notifications/read', { key, body: { event_ids } })
  }
  return { list, titles, notifyReader, readAll }
}

/** Makes all existing entries so many days old. */
async function letDaysPass(days: number) {
  for (const table of [notificationEvents, notificationEntries])
    await platform.services.db.execute(
      sql`update ${table} set occurred_at = occurred_at - make_interval(days => ${days})`,
    )
}

async function forgetAll(pass?: { events: number; entries: number }) {
  let passes = 1
  while (await deleteOldNotifications(platform.services, pass)) passes += 1
  return passes
}

test('a feed keeps entries for a year, read and unread alike; older ones are deleted, and the rest is unchanged', async () => {
  const reader = await newReader()
  for (const title of ['oldest', 'older']) await reader.notifyReader(title)
  await letDaysPass(2)
  for (const title of ['read', 'unread']) {
    await reader.notifyReader(title)
    if (title === 'read') await reader.readAll()
  }
  await letDaysPass(364)
  await reader.notifyReader('new')
  const before = await reader.list()
  expect(await reader.titles()).toEqual(['new', 'unread', 'read', 'older', 'oldest'])
  await forgetAll()
  expect((await reader.list()).entries).toEqual(before.entries.slice(0, 3))
  expect((await reader.list('unread_only=true')).entries).toEqual([before.entries[0], before.entries[1]])
})

test('a pass deletes a limited number of entries, even of one large event; concurrent passes leave none', async () => {
  const { db } = platform.services
  const [reader] = await Promise.all(Array.from({ length: 7 }, newReader))
  for (let at = 0; at < 3; at += 1) await announce(platform.services, { title: `${at}`, message: '' })
  await letDaysPass(366)
  const entries = await db.$count(notificationEntries)
  expect(await deleteOldNotifications(platform.services, { events: 200, entries: 5 })).toBe(true)
  expect(await db.$count(notificationEntries)).toBe(entries - 5)
  await Promise.all([forgetAll({ events: 1, entries: 5 }), forgetAll({ events: 2, entries: 3 })])
  expect([await db.$count(notificationEntries), await db.$count(notificationEvents)]).toEqual([0, 0])
  expect(await reader?.titles()).toEqual([])
})

test(
  'a walk repeats no entry and skips none of the last year while old entries are deleted',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          old: fc.integer({ min: 0, max: 12 }),
          kept: fc.integer({ min: 1, max: 12 }),
          pageSize: fc.integer({ min: 1, max: 5 }),
          pass: fc.record({ events: fc.integer({ min: 1, max: 4 }), entries: fc.integer({ min: 1, max: 4 }) }),
        }),
        async ({ old, kept, pageSize, pass }) => {
          const { list, notifyReader } = await newReader()
          for (let at = 0; at < old; at += 1) await notifyReader(`old ${at}`)
          await letDaysPass(366)
          for (let at = 0; at < kept; at += 1) await notifyReader(`kept ${at}`)
          const seen: string[] = []
          const forgetting: Promise<unknown>[] = []
          for (let cursor: string | null = ''; cursor !== null;) {
            const page: NotificationFeed = await list(`page_size=${pageSize}&cursor=${cursor}`)
            seen.push(...page.entries.map(({ payload }) => String(payload['title'])))
            cursor = page.next_cursor
            forgetting.push(deleteOldNotifications(platform.services, pass))
          }
          await Promise.all(forgetting)
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen.filter((title) => title.startsWith('kept'))).toHaveLength(kept)
        },
      ),
      { numRuns: atLength(8, 100) },
    ),
  120_000,
)
