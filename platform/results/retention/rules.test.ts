import { asc, eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { keepEverything, type RetentionRules } from '#contract/retention.ts'
import { notificationEntries, notificationEvents } from '#platform/ground/database/tables/notifications.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const path = '/admin/v1/retention'

async function put(rules: Partial<RetentionRules>) {
  const { updatedAt: expectedUpdatedAt } = (await platform.request('GET', path)).json
  return platform.request('PUT', path, { body: { ...keepEverything, ...rules, expectedUpdatedAt } })
}

const findNotices = () =>
  platform.services.db
    .select({ payload: notificationEvents.payload, userId: notificationEntries.userId })
    .from(notificationEvents)
    .innerJoin(notificationEntries, eq(notificationEntries.eventId, notificationEvents.id))
    .where(eq(notificationEvents.type, 'retention.tightened'))
    .orderBy(asc(notificationEvents.occurredAt))

test('stricter rules notify every admin of what they will remove and from when; relaxed rules notify nobody', async () => {
  await platform.newKey({ role: 'member' })
  const others = await platform.newKey({ role: 'admin' })
  const admins = [platform.admin, others].map(async (key) => (await platform.request('GET', '/whoami', { key })).json)
  const adminIds = (await Promise.all(admins)).map(({ actor }) => actor.id).toSorted()
  const { json: saved } = await put({ transcripts: 90, runs: 30 })
  const told = await findNotices()
  expect(told.map(({ userId }) => userId).toSorted()).toEqual(adminIds)
  expect(told[0]?.payload).toEqual({
    shorter: [
      { kind: 'transcripts', days: 90, days_before: null },
      { kind: 'runs', days: 30, days_before: null },
    ],
    released_experiments: 0,
    removes_from: saved.removesFrom,
  })
  await put({ transcripts: 90, runs: 60 })
  await put({})
  expect(await findNotices()).toHaveLength(told.length)
  await put({ transcripts: 90 })
  await put({ transcripts: 7 })
  expect((await findNotices()).at(-1)?.payload).toMatchObject({
    shorter: [{ kind: 'transcripts', days: 7, days_before: 90 }],
  })
})

test('a preview refuses a kept experiment that does not exist, as saving does', async () => {
  const body = { ...keepEverything, runs: 30, keptExperiments: ['mistyped'] }
  const refused = await platform.request('POST', `${path}/preview`, { body })
  expect([refused.status, refused.json.error]).toEqual([400, 'invalid_argument'])
  expect(refused.json.message).toContain('the experiment mistyped does not exist')
})
