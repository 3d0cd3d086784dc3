import { randomUUID } from 'node:crypto'

import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { sumBuckets } from '#platform/credits/sums.ts'
import { checkoutSessions } from '#platform/credits/tables.ts'
import type { Database } from '#platform/database/open-database.ts'
import { addOrganization } from '#platform/testing/finished-runs.ts'
import { seededRandom } from '#platform/testing/seeded-random.ts'
import { openTestDatabase } from '#platform/testing/test-database.ts'
import { receiveNotice } from './receive-notice.ts'
import { insertSession } from './store.ts'
import { stripePayments } from './stripe-payments.ts'

const secret = 'whsec_of_this_test'
const payments = stripePayments({
  secretKey: 'sk_test_unused',
  webhookSecret: secret,
  apiUrl: undefined,
  publicUrl: 'https://assay.example',
})

let db: Database
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openTestDatabase())
})
afterAll(() => close())

type Facts = { type?: string; status?: string; cents?: number; currency?: string }

/** An event as Stripe words it, about one of our sessions. */
function event(id: string, { type = 'completed', status = 'paid', cents = 2500, currency = 'usd' }: Facts = {}) {
  const object = { id: 'cs_test', client_reference_id: id, payment_status: status, amount_total: cents, currency }
  return JSON.stringify({ id: `evt_${randomUUID()}`, type: `checkout.session.${type}`, data: { object } })
}

const sign = (payload: string, by = secret) => Stripe.webhooks.generateTestHeaderString({ payload, secret: by })

const deliver = (payload: string, signature: string | undefined = sign(payload)) =>
  receiveNotice({ db, payments }, { bytes: Buffer.from(payload), signature })

async function aSession(organizationId: string) {
  const id = randomUUID()
  const createdAt = new Date().toISOString()
  const facts = { organizationId, userId: randomUUID(), provider: 'stripe' as const, createdAt }
  await insertSession(db, { id, ...facts, amountMicros: 25_000_000n })
  return id
}

const statuses = async (organizationId: string) =>
  Object.fromEntries(
    (await db.select().from(checkoutSessions))
      .filter((session) => session.organizationId === organizationId)
      .map(({ id, status }) => [id, status]),
  )

const onDemand = async (organizationId: string) =>
  (await sumBuckets(db, organizationId, null)).find(({ bucket }) => bucket === 'on_demand')?.micros ?? 0n

describe('a notice', () => {
  test('that a session is paid posts its credit', async () => {
    const organizationId = await addOrganization(db)
    const id = await aSession(organizationId)
    await deliver(event(id))
    expect([await statuses(organizationId), await onDemand(organizationId)]).toEqual([{ [id]: 'posted' }, 25_000_000n])
  })

  test('that is forged, tampered with, unsigned or old is refused and posts nothing', async () => {
    const organizationId = await addOrganization(db)
    const id = await aSession(organizationId)
    const payload = event(id)
    const old = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Date.now() / 1000 - 3600 })
    const refused = { code: 'invalid_argument' }
    await expect(deliver(payload, sign(payload, 'whsec_of_another'))).rejects.toMatchObject(refused)
    await expect(deliver(`${payload} `, sign(payload))).rejects.toMatchObject(refused)
    await expect(
      receiveNotice({ db, payments }, { bytes: Buffer.from(payload), signature: undefined }),
    ).rejects.toMatchObject(refused)
    await expect(deliver(payload, old)).rejects.toMatchObject(refused)
    expect([await statuses(organizationId), await onDemand(organizationId)]).toEqual([{ [id]: 'created' }, 0n])
  })

  test('of a completed session without its money posts nothing until the money has come', async () => {
    const organizationId = await addOrganization(db)
    const id = await aSession(organizationId)
    await deliver(event(id, { status: 'unpaid' }))
    expect(await onDemand(organizationId)).toBe(0n)
    await deliver(event(id, { type: 'async_payment_succeeded' }))
    expect(await onDemand(organizationId)).toBe(25_000_000n)
  })

  test('of another amount or currency than was asked for posts nothing', async () => {
    const organizationId = await addOrganization(db)
    const id = await aSession(organizationId)
    await deliver(event(id, { cents: 2501 }))
    await deliver(event(id, { currency: 'eur' }))
    expect([await statuses(organizationId), await onDemand(organizationId)]).toEqual([{ [id]: 'created' }, 0n])
  })

  test('about something else is taken without effect', async () => {
    await deliver(event(randomUUID()))
    await deliver(JSON.stringify({ id: 'evt_1', type: 'invoice.paid', data: { object: {} } }))
  })
})

test('of 500 payments with duplicated, reordered and forged notices each posts once or not at all', async () => {
  const random = seededRandom(500)
  const organizationIds = await Promise.all(Array.from({ length: 10 }, () => addOrganization(db)))
  const paid = new Map<string, string>()
  const notices: { payload: string; signature: string; isForged: boolean; order: number }[] = []
  const send = (payload: string, by = secret) =>
    notices.push({ payload, signature: sign(payload, by), isForged: by !== secret, order: random() })
  for (let count = 0; count < 500; count += 1) {
    const organizationId = organizationIds[count % 10] ?? ''
    const id = await aSession(organizationId)
    if (random() < 0.7) {
      paid.set(id, organizationId)
      for (let copies = 1 + Math.floor(random() * 3); copies > 0; copies -= 1) send(event(id))
    }
    if (random() < 0.3) send(event(id, { type: 'expired', status: 'unpaid' }))
    if (random() < 0.3) send(event(id), 'whsec_forged')
    if (random() < 0.2) send(event(id, { status: 'unpaid' }))
  }
  notices.sort((a, b) => a.order - b.order)
  for (let start = 0; start < notices.length; start += 8) {
    const outcomes = await Promise.allSettled(
      notices.slice(start, start + 8).map(({ payload, signature }) => deliver(payload, signature)),
    )
    outcomes.forEach(({ status }, index) =>
      expect(status).toBe(notices[start + index]?.isForged ? 'rejected' : 'fulfilled'),
    )
  }
  for (const organizationId of organizationIds) {
    const own = [...paid].filter(([, payer]) => payer === organizationId).map(([id]) => id)
    const posted = Object.entries(await statuses(organizationId)).filter(([, status]) => status === 'posted')
    expect(new Set(posted.map(([id]) => id))).toEqual(new Set(own))
    expect(await onDemand(organizationId)).toBe(BigInt(own.length) * 25_000_000n)
  }
}, 60_000)
