import { randomUUID } from 'node:crypto'

import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { NotificationEntry, NotificationFeed } from '#contract/notifications.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { atLength } from '#tools/test-length.ts'
import { announce } from './announce.ts'
import { notify } from './notify.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await openTestPlatform()
})
afterAll(() => platform.close())

const newsFor = (userId: string, source: string) => ({
  type: 'report.updated' as const,
  organizationId: platform.organization.id,
  source,
  actor: null,
  subject: { type: 'report', id: source },
  payload: { title: source },
  to: { userIds: [userId] },
})

const notifyWith = (userId: string, source: string) =>
  platform.services.db.transaction((tx) => notify(tx, newsFor(userId, source)))

async function newFeed() {
  const key = await platform.newKey({ role: 'member', email: `${randomUUID()}@lab.example` })
  const { actor } = (await platform.request('GET', '/whoami', { key })).json
  const list = async (query: string): Promise<NotificationFeed> =>
    (await platform.request('GET', `/notifications?${query}`, { key })).json
  return { key, userId: String(actor.id), list }
}

/** All of the same length, so that text order equals time order. */
const cursorOf = ({ occurred_at, event_id }: NotificationEntry) =>
  `${occurred_at.replace(/(\.\d+)?Z$/, (_, fraction = '.') => fraction.padEnd(7, '0'))} ${event_id}`

const isNewestFirst = ({ entries }: NotificationFeed) =>
  entries.every((entry, at) => {
    const before = entries[at - 1]
    return !before || cursorOf(before) > cursorOf(entry)
  })

test(
  'no page repeats or skips an entry while others arrive, whatever the page size, and the others are newer than the walk',
  () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 25 }), async (pageSize, before) => {
        const { userId, list } = await newFeed()
        const existing = Array.from({ length: before }, () => randomUUID())
        for (const source of existing) await notifyWith(userId, source)
        const arriving: Promise<unknown>[] = []
        const seen: string[] = []
        let cursor: string | null = ''
        while (cursor !== null) {
          // Started but not awaited: they commit while pages are read.
          arriving.push(...Array.from({ length: 3 }, () => notifyWith(userId, `late ${randomUUID()}`)))
          if (seen.length > 10)
            arriving.push(announce(platform.services, { title: `late ${randomUUID()}`, message: '' }))
          const page = await list(`page_size=${pageSize}&cursor=${cursor}`)
          expect(isNewestFirst(page)).toBe(true)
          seen.push(...page.entries.map(({ payload }) => String(payload['title'])))
          cursor = page.next_cursor
        }
        await Promise.all(arriving)
        expect(new Set(seen).size).toBe(seen.length)
        const [now, late] = [
          seen.filter((title) => !title.startsWith('late')),
          seen.findLastIndex((t) => t.startsWith('late')),
        ]
        expect(now).toEqual(existing.toReversed())
        expect(late).toBeLessThan(seen.length - now.length)
      }),
      { numRuns: atLength(8, 100) },
    ),
  120_000,
)

test(
  'concurrent marks of the same entries count each once while others arrive, and walks of the unread entries end',
  () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 2, max: 5 }), async (count, markers) => {
        const { key, userId, list } = await newFeed()
        for (let at = 0; at < count; at += 1) await notifyWith(userId, randomUUID())
        const ids = (await list('page_size=100')).entries.map((entry) => entry.event_id)
        const arriving = Array.from({ length: 5 }, () => notifyWith(userId, randomUUID()))
        const marks = Array.from({ length: markers }, () =>
          platform.request('POST', '/notifications/read', { key, body: { event_ids: ids } }),
        )
        // Marked during the walk: an unread walk keeps its position whatever is read meanwhile.
        const walked: string[] = []
        for (let cursor: string | null = ''; cursor !== null;) {
          const page: NotificationFeed = await list(`page_size=4&unread_only=true&cursor=${cursor}`)
          walked.push(...page.entries.map((entry) => entry.event_id))
          cursor = page.next_cursor
        }
        const counts = (await Promise.all(marks)).map(({ json }) => Number(json.marked_count))
        await Promise.all(arriving)
        expect(counts.reduce((sum, marked) => sum + marked, 0)).toBe(count)
        expect(new Set(walked).size).toBe(walked.length)
        expect((await list('page_size=100&unread_only=true')).entries).toHaveLength(5)
      }),
      { numRuns: atLength(8, 100) },
    ),
  120_000,
)

test.skipIf(!process.env['TEST_DATABASE_URL'])(
  'an entry whose transaction commits late never appears below one that was seen before (PostgreSQL only)',
  async () => {
    const { userId, list } = await newFeed()
    const shown = async () => (await list('page_size=100')).entries.map((entry) => entry.event_id)
    let commit = () => {}
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve
    })
    let existing = () => {}
    const isNotified = new Promise<void>((resolve) => {
      existing = resolve
    })
    const slow = platform.services.db.transaction(async (tx) => {
      await notify(tx, newsFor(userId, 'slow'))
      existing()
      await mayCommit
    })
    await isNotified
    const quick = notifyWith(userId, 'quick')
    // Long enough for the fast transaction to commit, unless it is blocked.
    await new Promise((resolve) => setTimeout(resolve, 300))
    const before = await shown()
    commit()
    await Promise.all([slow, quick])
    const after = await shown()
    expect(after).toHaveLength(2)
    expect(after.slice(after.length - before.length)).toEqual(before)
  },
)
