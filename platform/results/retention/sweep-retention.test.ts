import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { keepEverything, type RetentionRules } from '#contract/retention.ts'
import { isShared } from '#platform/ground/database/open-database.ts'
import { notificationEntries, notificationEvents } from '#platform/ground/database/tables/notifications.ts'
import { removedBlobs, retentionPolicies } from '#platform/ground/database/tables/retention.ts'
import { webhookDeliveries, webhooks } from '#platform/ground/database/tables/webhooks.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { deleteRemovedBlobs, reclaimBlobs } from './forget-removals.ts'
import { lockRemovable } from './old-runs-store.ts'
import { sweepRetention } from './sweep-retention.ts'

let platform: TestPlatform
let organizationId: string
let userId: string
beforeAll(async () => {
  platform = await openTestPlatform()
  organizationId = platform.organization.id
  userId = (await platform.request('GET', '/whoami')).json.actor.id
})
beforeEach(async () => {
  for (const table of [retentionPolicies, removedBlobs, notificationEntries, notificationEvents])
    await platform.services.db.delete(table)
})
afterAll(() => platform.close())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace('Z', '000Z')

async function sweepAfter(rules: Partial<RetentionRules>) {
  const active = { rules: { ...keepEverything, ...rules }, updatedAt: daysAgo(2), removesFrom: daysAgo(1) }
  await platform.services.db.insert(retentionPolicies).values({ organizationId, ...active })
  await sweepRetention(platform.services)
  return (await platform.request('GET', '/admin/v1/retention')).json.lastSweep?.removed
}

const newEvent = (subjectId: string, days: number, ofOrganization = organizationId) => ({
  id: randomUUID(),
  organizationId: ofOrganization,
  type: 'report.updated' as const,
  schemaVersion: 1,
  source: randomUUID(),
  subjectType: 'report',
  subjectId,
  payload: {},
  occurredAt: daysAgo(days),
})

test('a rule for notifications removes the old and keeps the young', async () => {
  const { db } = platform.services
  for (const event of [newEvent('old', 40), newEvent('young', 20)]) {
    await db.insert(notificationEvents).values(event)
    const { id: eventId, occurredAt } = event
    await db.insert(notificationEntries).values({ userId, eventId, organizationId, occurredAt, createdAt: occurredAt })
  }
  expect(await sweepAfter({ notifications: 30 })).toMatchObject({ notifications: 1 })
  expect((await db.select().from(notificationEvents)).map(({ subjectId }) => subjectId)).toEqual(['young'])
  expect(await db.$count(notificationEntries)).toBe(1)
})

test('one sweep removes all old notifications that nobody received, also more than a batch', async () => {
  const { db } = platform.services
  await db.insert(notificationEvents).values(Array.from({ length: 201 }, () => newEvent('old', 40)))
  expect(await sweepAfter({ notifications: 30 })).toMatchObject({ notifications: 201 })
  expect(await db.$count(notificationEvents)).toBe(0)
})

test('a sweep takes a batch of each organization in turn', async () => {
  const { db } = platform.services
  const { id: other } = await createOrganization(platform.services, { slug: 'other' })
  const active = { rules: { ...keepEverything, notifications: 30 }, updatedAt: daysAgo(2), removesFrom: daysAgo(1) }
  const both = [organizationId, other]
  for (const id of both) {
    await db.insert(retentionPolicies).values({ organizationId: id, ...active })
    await db.insert(notificationEvents).values(Array.from({ length: 201 }, () => newEvent('old', 40, id)))
  }
  const left = () =>
    Promise.all(both.map((id) => db.$count(notificationEvents, eq(notificationEvents.organizationId, id))))
  let looks = 0
  await sweepRetention(platform.services, { isStopping: () => (looks += 1) > 2 })
  const [here = 0, there = 0] = await left()
  expect(here).toBeLessThan(201)
  expect(there).toBe(here)
  await sweepRetention(platform.services)
  expect(await left()).toEqual([0, 0])
})

test('a rule for delivery logs removes the old and keeps the young, and what a webhook still owes', async () => {
  const { db } = platform.services
  const webhookId = randomUUID()
  const kept = {
    id: webhookId,
    organizationId,
    name: 'Chat',
    kind: 'webhook' as const,
    shownUrl: '',
    sealed: '',
    keyId: '',
  }
  const at = { createdAt: daysAgo(50), nextTryAt: daysAgo(0) }
  await db.insert(webhooks).values({ ...kept, ...at, createdBy: userId })
  const delivery = (subjectId: string, days: number, state: 'delivered' | 'waiting') => ({
    id: randomUUID(),
    webhookId,
    type: 'report.updated',
    subjectId,
    state,
    event: { occurredAt: daysAgo(days), actor: null, subject: { type: 'report', id: subjectId }, payload: {} },
    createdAt: daysAgo(days),
  })
  await db
    .insert(webhookDeliveries)
    .values([delivery('old', 20, 'delivered'), delivery('owed', 20, 'waiting'), delivery('young', 5, 'delivered')])
  expect(await sweepAfter({ deliveries: 10 })).toMatchObject({ deliveries: 1 })
  const ofReports = eq(webhookDeliveries.type, 'report.updated')
  const left = await db.select().from(webhookDeliveries).where(ofReports).orderBy(asc(webhookDeliveries.subjectId))
  expect(left.map(({ subjectId }) => subjectId)).toEqual(['owed', 'young'])
})

/** Keys of blobs in their order, more than a batch. */
async function addRemovedBlobs() {
  const keys = Array.from({ length: 201 }, (_, place) => `transcripts/${randomUUID()}/${place}`).toSorted()
  await platform.services.db.insert(removedBlobs).values(keys.map((key) => ({ key })))
  return keys
}

const deleting = (remove: (key: string) => void) => ({
  db: platform.services.db,
  blobs: { ...platform.services.blobs, delete: async (key: string) => remove(key) },
})

test('a blob that cannot be deleted waits for the next sweep and holds up no other', async () => {
  const { db } = platform.services
  const [stuck, ...others] = await addRemovedBlobs()
  const deleted: string[] = []
  const services = deleting((key) => {
    if (key === stuck) throw new Error('AccessDenied')
    deleted.push(key)
  })
  await expect(deleteRemovedBlobs(services)).rejects.toThrow('1 removed blob could')
  expect(deleted.toSorted()).toEqual(others)
  expect(await db.select().from(removedBlobs)).toEqual([{ key: stuck }])
})

test('a stop waits for one batch of blobs only', async () => {
  const { db } = platform.services
  await addRemovedBlobs()
  let isStopping = false
  const services = deleting(() => {
    isStopping = true
  })
  await deleteRemovedBlobs(services, () => isStopping)
  expect(await db.$count(removedBlobs)).toBe(isShared(db) ? 1 : 181)
})

test.runIf(!process.env['TEST_DATABASE_URL'])(
  'on the embedded database others have a turn between a few deletions',
  async () => {
    const { db } = platform.services
    await addRemovedBlobs()
    let deleted = 0
    const over = new AbortController()
    const services = deleting(() => {
      deleted += 1
    })
    const ask = async () => {
      let most = 0
      while (!over.signal.aborted) {
        const before = deleted
        await db.execute(sql`select 1`)
        most = Math.max(most, deleted - before)
      }
      return most
    }
    const asked = ask()
    await deleteRemovedBlobs(services).finally(() => over.abort())
    expect(deleted).toBe(201)
    expect(await asked).toBeLessThanOrEqual(20)
  },
)

test.runIf(process.env['TEST_DATABASE_URL'])(
  'a blob store that takes longer than the database lets transactions be idle loses no batch',
  async () => {
    const { db } = platform.services
    await db.insert(removedBlobs).values({ key: `transcripts/${randomUUID()}/0` })
    const limit = sql`select setting::int as milliseconds from pg_settings where name = 'idle_in_transaction_session_timeout'`
    const { rows } = (await db.execute(limit)) as unknown as { rows: { milliseconds: number }[] }
    const idleMs = rows[0]?.milliseconds ?? 0
    expect(idleMs).toBeGreaterThan(0)
    await deleteRemovedBlobs(deleting(() => delay(idleMs + 500)))
    expect(await db.$count(removedBlobs)).toBe(0)
  },
)

test('while a backup is being made, removed blobs stay noted', async () => {
  const { db, blobs } = platform.services
  await addRemovedBlobs()
  const count = await db.$count(removedBlobs)
  const state = {
    dataFolder: '',
    copyTo: async () => {},
    holdDeletes: () => async () => {},
    migration: '',
    bucket: null,
  }
  await deleteRemovedBlobs({ db, blobs, state: { ...state, areDeletesHeld: () => true } })
  expect(await db.$count(removedBlobs)).toBe(count)
  await deleteRemovedBlobs({ db, blobs, state: { ...state, areDeletesHeld: () => false } })
  expect(await db.$count(removedBlobs)).toBe(0)
})

test('an import that takes a key back waits until the removal has deleted the old blob', async () => {
  const { db } = platform.services
  const key = `transcripts/${randomUUID()}/0`
  await db.insert(removedBlobs).values({ key })
  const order: string[] = []
  const importing: Promise<unknown>[] = []
  const blobs = {
    ...platform.services.blobs,
    async delete() {
      importing.push(reclaimBlobs(db, [key]).then(() => order.push('reclaimed')))
      for (let turn = 0; turn < 5000; turn += 1) await new Promise(setImmediate)
      order.push('deleted')
    },
  }
  await deleteRemovedBlobs({ db, blobs })
  await Promise.all(importing)
  expect(order).toEqual(['deleted', 'reclaimed'])
})

test('a walk over old runs reads each once, including those that stay', async () => {
  const { db } = platform.services
  const old = { organizationId, kind: 'runs' as const, days: 30, rules: { keptExperiments: [] } }
  await addVersion(db, { organizationId, experimentId: 'old', ordinal: 1 })
  const times = [45, 44, 44, 43, 42].map((days) => daysAgo(days))
  for (const at of times)
    await addFinishedRun(db, {
      organizationId,
      experimentId: 'old',
      triggeredBy: userId,
      outcomes: { works: 'failed' },
      tags: at === times[4] ? [] : ['keep'],
      createdAt: at,
      endedAt: at,
      statusUpdatedAt: at,
    })
  const batches: number[] = []
  for (let next = await lockRemovable(db, old, { after: undefined, limit: 2 }); next;) {
    batches.push(next.removable.length)
    next = await lockRemovable(db, old, { after: next.last, limit: 2 })
  }
  expect(batches).toEqual([0, 0, 1])
})
