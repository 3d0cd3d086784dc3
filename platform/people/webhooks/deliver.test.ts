import { createHmac, randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, expect, test } from 'vitest'

import type { WebhookAnswer, WebhookRequest } from '#platform/ground/services/webhook-client.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { notify } from '#platform/people/notifications/notify.ts'
import { breakableDatabase } from '#platform/program/testing/breakable-database.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { atLength } from '#tools/test-length.ts'
import { deliver } from './deliver.ts'
import { takeLease } from './lease-store.ts'
import { sendDue } from './start-webhook-sender.ts'

const ok: WebhookAnswer = { status: 200, fault: null, response: 'ok', durationMs: 3 }
const down: WebhookAnswer = { status: 503, fault: 'It answered 503', response: '', durationMs: 3 }

let answer: (request: WebhookRequest) => Promise<WebhookAnswer> | WebhookAnswer = () => ok
const platform = await openTestPlatform({ webhooks: { faultOf: () => null, post: async (request) => answer(request) } })
// A webhook that is left would get what later tests announce, and take their places.
afterEach(() => db().execute(sql`delete from webhooks`))
afterAll(() => platform.close())

const db = () => platform.services.db

/** The clock of the database never goes back, so a test that moves it ahead is at a later time from then on. */
async function passSeconds(seconds: number) {
  const at = Date.parse(await clockNow(db())) * 1000 + seconds * 1_000_000
  await db().execute(sql`select setval('steady_clock', ${at}::bigint)`)
}

async function addWebhook(more: object = {}) {
  const body = { name: 'CI', url: `https://${randomUUID()}.example/hook`, types: ['report.updated'], ...more }
  const { json } = await platform.request('POST', '/admin/v1/webhooks', { body })
  return { id: String(json.webhook.id), url: body.url, secret: String(json.secret) }
}

const show = async (id: string) => {
  const { json } = await platform.request('GET', '/admin/v1/webhooks')
  return json.webhooks.find((webhook: { id: string }) => webhook.id === id)
}

const announce = (title: string, source: string = randomUUID()) =>
  db().transaction((tx) =>
    notify(tx, {
      type: 'report.updated',
      organizationId: platform.organization.id,
      source,
      actor: { id: 'a1', name: 'Ada', email: 'ada@lab.example' },
      subject: { type: 'report', id: randomUUID() },
      payload: { title },
      to: { userIds: [] },
    }),
  )

/** An organization has two places at once, so several rounds. */
async function sendAll() {
  for (let round = await sendDue(platform.services); round.length > 0; round = await sendDue(platform.services))
    await Promise.all(round)
}

/** A receiver that notes what it accepts. */
function receive({ url }: { url: string }, isUp: () => boolean = () => true) {
  const accepted: WebhookRequest[] = []
  const refused: WebhookRequest[] = []
  answer = (request) => {
    if (request.url !== url) return ok
    const [list, result] = isUp() ? [accepted, ok] : [refused, down]
    list.push(request)
    return result
  }
  const titles = () => accepted.map(({ body }) => JSON.parse(body).data.payload.title)
  return { accepted, refused, titles }
}

test('a receiver that fails for an hour then gets everything once, in order, with valid signatures', async () => {
  const hook = await addWebhook()
  let isUp = false
  const receiver = receive(hook, () => isUp)
  const titles = Array.from({ length: 60 }, (_, minute) => `Finding ${minute}`)
  for (const title of titles) {
    await announce(title)
    for (let second = 0; second < 60; second += 20) {
      await sendAll()
      await passSeconds(20)
    }
  }
  expect(receiver.accepted).toEqual([])
  // Only the first delivery is tried, less and less often.
  expect(new Set(receiver.refused.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(receiver.refused.length).toBeGreaterThan(12)
  expect(receiver.refused.length).toBeLessThan(25)
  expect(await show(hook.id)).toMatchObject({ failures: receiver.refused.length, waiting: 60 })
  isUp = true
  await passSeconds(6 * 60)
  await sendAll()
  await sendAll()
  expect(receiver.titles()).toEqual(titles)
  expect(new Set(receiver.accepted.map(({ headers }) => headers['webhook-id'])).size).toBe(60)
  for (const { body, headers } of receiver.accepted) {
    new Webhook(hook.secret).verify(body, headers)
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const key = Buffer.from(hook.secret.slice('whsec_'.length), 'base64')
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  }
  expect(() => new Webhook(hook.secret).verify('{}', receiver.accepted[0]?.headers ?? {})).toThrow()
  expect(await show(hook.id)).toMatchObject({ failures: 0, waiting: 0 })
})

/** Sends often enough that the days count as days of failures. */
async function failForDays(days: number) {
  for (let hours = 0; hours <= days * 24; hours += 3) {
    await sendAll()
    await passSeconds(3 * 3600)
  }
}

type Step = 'notify' | 'send' | 'pass' | 'down' | 'up' | 'kill before' | 'kill after' | 'two senders'

test('whatever fails or is killed, first arrivals are in order, none is missing, and only kills repeat one', async () => {
  const step = fc.constantFrom<Step>(
    'notify',
    'notify',
    'send',
    'pass',
    'down',
    'up',
    'kill before',
    'kill after',
    'two senders',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const hook = await addWebhook()
      let [isUp, announced, kills] = [true, 0, 0]
      const receiver = receive(hook, () => isUp)
      const arrive = answer
      const actions: Record<Step, () => Promise<unknown> | void> = {
        notify: () => announce(`News ${(announced += 1)}`),
        send: sendAll,
        pass: () => passSeconds(70),
        down: () => void (isUp = false),
        up: () => void (isUp = true),
        'kill before': async () => void (await takeLease(db(), randomUUID())),
        'kill after': async () => {
          const lease = await takeLease(db(), randomUUID())
          if (!lease) return
          answer = async (request) => {
            await arrive(request)
            throw new Error('killed')
          }
          await deliver(platform.services, lease).catch(() => (kills += 1))
          answer = arrive
        },
        'two senders': () => Promise.all([sendAll(), sendAll()]),
      }
      for (const each of steps) await actions[each]()
      isUp = true
      for (let pass = 0; pass < 3; pass += 1) {
        await passSeconds(600)
        await sendAll()
      }
      const ids = receiver.accepted.map(({ headers }) => headers['webhook-id'])
      const firsts = receiver.accepted.filter((_, index) => ids.indexOf(ids[index]) === index)
      expect(firsts.map(({ body }) => JSON.parse(body).data.payload.title)).toEqual(
        Array.from({ length: announced }, (_, index) => `News ${index + 1}`),
      )
      expect(ids.length - firsts.length).toBeLessThanOrEqual(kills)
      await platform.request('DELETE', `/admin/v1/webhooks/${hook.id}`)
    }),
    { numRuns: atLength(8, 100) },
  )
})

test('a change that is rolled back is not sent, and a repeated source is sent once', async () => {
  const hook = await addWebhook()
  const receiver = receive(hook)
  await db()
    .transaction(async (tx) => {
      await notify(tx, {
        type: 'report.updated',
        organizationId: platform.organization.id,
        source: 'rolled back',
        actor: null,
        subject: { type: 'report', id: 'r' },
        payload: { title: 'Rolled back' },
        to: { roles: ['admin'] },
      })
      throw new Error('rolled back')
    })
    .catch(() => {})
  await announce('Twice', 'the same')
  await announce('Twice', 'the same')
  await sendAll()
  expect(receiver.titles()).toEqual(['Twice'])
  await platform.request('DELETE', `/admin/v1/webhooks/${hook.id}`)
})

test('three days of failures stop a webhook and notify the admins; resuming sends what waits', async () => {
  const hook = await addWebhook()
  let isUp = false
  const receiver = receive(hook, () => isUp)
  await announce('Kept')
  await failForDays(3)
  expect(await show(hook.id)).toMatchObject({ stopReason: 'failing', waiting: 1 })
  const { json } = await platform.request('GET', '/notifications')
  expect(json.entries[0]).toMatchObject({ type: 'webhook.stopped', payload: { name: 'CI', reason: 'failing' } })
  const tries = receiver.refused.length
  await announce('Not kept')
  await passSeconds(3600)
  await sendAll()
  expect(receiver.refused.length).toBe(tries)
  isUp = true
  await platform.request('PATCH', `/admin/v1/webhooks/${hook.id}`, { body: { isPaused: false } })
  await sendAll()
  expect(receiver.titles()).toEqual(['Kept'])
  await platform.request('DELETE', `/admin/v1/webhooks/${hook.id}`)
})

test('three days without a sender, as when the machine was off, do not stop a webhook', async () => {
  const hook = await addWebhook()
  let isUp = false
  const receiver = receive(hook, () => isUp)
  await announce('Kept')
  await sendAll()
  await passSeconds(3 * 24 * 3600)
  await sendAll()
  const shown = await show(hook.id)
  expect(shown).toMatchObject({ failures: 2, waiting: 1 })
  expect(shown).not.toHaveProperty('stopReason')
  isUp = true
  await passSeconds(6 * 60)
  await sendAll()
  expect(receiver.titles()).toEqual(['Kept'])
})

test('a new URL is tried at once, and failures of the old one do not stop it', async () => {
  const hook = await addWebhook()
  receive(hook, () => false)
  await announce('Moved')
  await failForDays(2)
  const moved = { url: 'https://moved.example/hook' }
  const { json } = await platform.request('PATCH', `/admin/v1/webhooks/${hook.id}`, { body: moved })
  expect(json).toMatchObject({ failures: 0, waiting: 1 })
  expect(json).not.toHaveProperty('failingSince')
  let isUp = false
  const receiver = receive(moved, () => isUp)
  await sendAll()
  expect(receiver.refused).toHaveLength(1)
  await failForDays(2)
  expect(await show(hook.id)).not.toHaveProperty('stopReason')
  isUp = true
  await sendAll()
  expect(receiver.titles()).toEqual(['Moved'])
})

test('a delivery that is refused for an hour is given up, and those behind it arrive', async () => {
  const hook = await addWebhook()
  const arrived: string[] = []
  answer = ({ url, body }) => {
    const { title } = JSON.parse(body).data.payload
    if (url !== hook.url) return ok
    if (title.includes('<script>')) return { ...down, status: 403, fault: 'It answered 403' }
    arrived.push(title)
    return ok
  }
  for (const title of ['<script>', 'Finding 1', 'Finding 2']) await announce(title)
  for (let minute = 0; minute < 60; minute += 5) {
    await sendAll()
    await passSeconds(6 * 60)
  }
  expect(arrived).toEqual(['Finding 1', 'Finding 2'])
  expect(await show(hook.id)).toMatchObject({ failures: 0, waiting: 0 })
  const { json } = await platform.request('GET', `/admin/v1/webhooks/${hook.id}/deliveries?state=failed`)
  expect(json.deliveries).toHaveLength(1)
})

test('after the last delivery that waits was given up, the webhook no longer fails', async () => {
  const hook = await addWebhook()
  answer = ({ url }) => (url === hook.url ? { ...down, status: 403 } : ok)
  await announce('Refused')
  for (let pass = 0; pass < 20; pass += 1) {
    await sendAll()
    await passSeconds(6 * 60)
  }
  expect(await show(hook.id)).toMatchObject({ failures: 0, waiting: 0 })
  await passSeconds(3 * 24 * 3600)
  answer = ({ url }) => (url === hook.url ? down : ok)
  await announce('Days later')
  await sendAll()
  const shown = await show(hook.id)
  expect(shown).toMatchObject({ failures: 1, waiting: 1 })
  expect(shown).not.toHaveProperty('stopReason')
  await platform.request('DELETE', `/admin/v1/webhooks/${hook.id}`)
})

test('a webhook that is paused during a request works as soon as it is resumed', async () => {
  const hook = await addWebhook()
  const receiver = receive(hook)
  const arrive = answer
  const pause = (isPaused: boolean) =>
    platform.request('PATCH', `/admin/v1/webhooks/${hook.id}`, { body: { isPaused } })
  for (const title of ['First', 'Second']) await announce(title)
  answer = async (request) => {
    if (request.url === hook.url) await pause(true)
    return arrive(request)
  }
  await sendAll()
  answer = arrive
  await pause(false)
  await sendAll()
  expect(receiver.titles()).toEqual(['First', 'Second'])
  await platform.request('DELETE', `/admin/v1/webhooks/${hook.id}`)
})

test('an organization has two of the places of a server at once', async () => {
  const hooks = [await addWebhook(), await addWebhook(), await addWebhook()]
  await announce('For three')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  answer = async ({ url }) => {
    if (hooks.some((hook) => hook.url === url)) await held
    return ok
  }
  const busy = new Map<string, number>()
  const first = await sendDue(platform.services, { busy })
  expect(first).toHaveLength(2)
  expect(await sendDue(platform.services, { busy })).toEqual([])
  release()
  await Promise.all(first)
  expect((await sendDue(platform.services, { busy })).length).toBeGreaterThan(0)
  await sendAll()
})

test('an answer of 410 stops a webhook at once', async () => {
  const hook = await addWebhook()
  answer = () => ({ status: 410, fault: 'It answered 410', response: '', durationMs: 1 })
  await announce('Gone')
  await sendAll()
  expect(await show(hook.id)).toMatchObject({ stopReason: 'gone', failures: 1 })
  await platform.request('DELETE', `/admin/v1/webhooks/${hook.id}`)
})

test('while a receiver is slow, others get their deliveries, and it gets no second request', async () => {
  const [slow, quick] = [await addWebhook(), await addWebhook()]
  const arrived: string[] = []
  let finish = () => {}
  answer = ({ url }) => {
    arrived.push(url)
    return url === slow.url ? new Promise((resolve) => (finish = () => resolve(ok))) : ok
  }
  await announce('To both')
  const works = await sendDue(platform.services)
  expect(works).toHaveLength(2)
  await Promise.any(works)
  expect(await sendDue(platform.services)).toEqual([])
  finish()
  await Promise.all(works)
  expect(arrived.toSorted()).toEqual([slow.url, quick.url].toSorted())
  for (const { id } of [slow, quick]) await platform.request('DELETE', `/admin/v1/webhooks/${id}`)
})

test('a sender that lost its lease records nothing', async () => {
  const hook = await addWebhook()
  await announce('Slow')
  const first = await takeLease(db(), randomUUID())
  answer = async () => {
    await passSeconds(61)
    expect(await takeLease(db(), randomUUID())).not.toBeNull()
    return ok
  }
  if (first) await deliver(platform.services, first)
  expect(await show(hook.id)).toMatchObject({ waiting: 1 })
  await platform.request('DELETE', `/admin/v1/webhooks/${hook.id}`)
})

test('if the database fails while deliveries start, those in progress are returned and their faults reach the caller', async () => {
  await addWebhook()
  await announce('Down')
  const { db: breakable, downAfterOne } = breakableDatabase(db())
  const works = await sendDue({ ...platform.services, db: breakable }, { isStopping: downAfterOne() })
  expect(works).toHaveLength(1)
  await expect(works[0]).rejects.toThrow('ECONNREFUSED')
})

test('quiet events of one person and subject are sent once, even if nobody else reads them', async () => {
  const hook = await addWebhook()
  const receiver = receive(hook)
  const save = (title: string) =>
    db().transaction((tx) =>
      notify(tx, {
        type: 'report.updated',
        organizationId: platform.organization.id,
        source: randomUUID(),
        actor: null,
        subject: { type: 'report', id: 'quiet' },
        payload: { title },
        to: { userIds: [] },
        quietSeconds: 3600,
      }),
    )
  await save('First')
  await save('Second')
  await sendAll()
  expect(receiver.titles()).toEqual(['First'])
})
