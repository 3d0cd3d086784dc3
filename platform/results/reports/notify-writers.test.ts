import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import type { NotificationEntry } from '#contract/notifications.ts'
import { notificationEvents } from '#platform/ground/database/tables/notifications.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
const colleague = await platform.newKey({ role: 'member', email: 'colleague@lab.example' })
afterAll(() => platform.close())

async function begin(title: string): Promise<string> {
  return (await platform.request('POST', '/reports', { body: { title } })).json.report.id
}

const append = (id: string, key: string) =>
  platform.request('POST', `/reports/${id}/blocks`, { key, body: { markdown: 'more' } })

async function toldOf(id: string, key: string) {
  const entries: NotificationEntry[] = (await platform.request('GET', '/notifications', { key })).json.entries
  return entries.filter(({ subject }) => subject.id === id)
}

test('earlier writers of a report are notified of a write, but not its author', async () => {
  const id = await begin('Finding')
  await append(id, colleague)
  expect(await toldOf(id, platform.admin)).toMatchObject([
    {
      type: 'report.updated',
      actor: { email: 'colleague@lab.example' },
      subject: { type: 'report', id },
      payload: { title: 'Finding' },
    },
  ])
  expect(await toldOf(id, colleague)).toEqual([])
  await append(id, platform.admin)
  expect(await toldOf(id, colleague)).toHaveLength(1)
})

test('a colleague’s edits within an hour make one notification, and the next hour makes another', async () => {
  const id = await begin('Typed')
  for (let at = 0; at < 20; at += 1) await append(id, colleague)
  expect(await toldOf(id, platform.admin)).toHaveLength(1)
  await platform.services.db
    .update(notificationEvents)
    .set({ occurredAt: sql`${notificationEvents.occurredAt} - interval '61 minutes'` })
  await append(id, colleague)
  expect(await toldOf(id, platform.admin)).toHaveLength(2)
})

test('two colleagues who edit at once are each notified once', async () => {
  const id = await begin('Both')
  const third = await platform.newKey({ role: 'member', email: 'third@lab.example' })
  await append(id, colleague)
  await append(id, third)
  await Promise.all([colleague, third].flatMap((key) => Array.from({ length: 5 }, () => append(id, key))))
  expect(await toldOf(id, platform.admin)).toHaveLength(2)
  expect(await toldOf(id, colleague)).toHaveLength(1)
  expect(await toldOf(id, third)).toHaveLength(1)
})

test('a rejected write notifies nobody', async () => {
  const id = await begin('Refused')
  const body = { markdown: 'x', expectedUpdatedAt: '2020-01-01T00:00:00Z' }
  expect((await platform.request('POST', `/reports/${id}/blocks`, { key: colleague, body })).status).toBe(409)
  expect(await toldOf(id, platform.admin)).toEqual([])
})
