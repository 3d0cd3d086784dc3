import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { limits } from '#contract/wire/limit.ts'
import type { WebhookAnswer } from '#platform/ground/services/webhook-client.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { hasWaiting } from './lease-store.ts'
import { sendDue } from './start-webhook-sender.ts'

const ok: WebhookAnswer = { status: 200, fault: null, response: 'ok', durationMs: 3 }

const platform = await openTestPlatform({ webhooks: { faultOf: () => null, post: async () => ok } })
afterAll(() => platform.close())

const base = '/admin/v1/webhooks'

async function addWebhook(key = platform.admin) {
  const { json } = await platform.request('POST', base, { key, body: { name: 'CI', url: 'https://ci.example/in' } })
  return String(json.webhook.id)
}

const change = (id: string, isPaused: boolean) => platform.request('PATCH', `${base}/${id}`, { body: { isPaused } })

const show = async (id: string) =>
  (await platform.request('GET', base)).json.webhooks.find((webhook: { id: string }) => webhook.id === id)

const addDeliveries = (webhookId: string, many: number, { days = 0, state = 'waiting' } = {}) =>
  platform.services.db
    .execute(sql`insert into webhook_deliveries (id, webhook_id, event_id, type, subject_id, event, state, created_at)
      select gen_random_uuid(), ${webhookId}::uuid, gen_random_uuid(), 'report.updated', 'r',
        ${JSON.stringify({ occurredAt: 'now', actor: null, subject: { type: 'report', id: 'r' }, payload: { title: 'T' } })}::jsonb,
        ${state}, clock_timestamp() - make_interval(days => ${days})
      from generate_series(1, ${many}::int)`)

const sendAll = async () => void (await Promise.all(await sendDue(platform.services)))

test('a webhook for which too many deliveries wait is stopped, told to the admins, and works when resumed', async () => {
  const id = await addWebhook()
  await addDeliveries(id, limits.waitingPerWebhook)
  await sendAll()
  const before = await show(id)
  expect(before).not.toHaveProperty('stopReason')
  await addDeliveries(id, limits.waitingPerWebhook - before.waiting + 1)
  await sendAll()
  expect(await show(id)).toMatchObject({ stopReason: 'full', waiting: limits.waitingPerWebhook + 1 })
  const { json } = await platform.request('GET', '/notifications')
  expect(json.entries[0]).toMatchObject({ type: 'webhook.stopped', payload: { name: 'CI', reason: 'full' } })
  const { waiting } = (await change(id, false)).json
  await sendAll()
  const after = await show(id)
  expect(after).not.toHaveProperty('stopReason')
  expect(after).not.toHaveProperty('stoppedAt')
  expect(after.waiting).toBeLessThan(waiting)
  await platform.request('DELETE', `${base}/${id}`)
})

test('the queue of a webhook that is paused is no work', async () => {
  const id = await addWebhook()
  await addDeliveries(id, 1)
  expect(await hasWaiting(platform.services.db)).toBe(true)
  await change(id, true)
  expect(await hasWaiting(platform.services.db)).toBe(false)
  await change(id, false)
  expect(await hasWaiting(platform.services.db)).toBe(true)
  await platform.request('DELETE', `${base}/${id}`)
})
