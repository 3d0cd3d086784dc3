import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { checkoutSessions } from '#platform/ground/database/tables/credits.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { allRoutes } from '#platform/program/server/all-routes.ts'
import { buildHttp } from '#platform/program/server/build-http.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { stripePayments } from './stripe-payments.ts'

/** What the Stripe stub answers next, and the requests that reached it. */
let answer: { status: number; body: unknown }
let asked: string[] = []
const bodies: URLSearchParams[] = []
const stub = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    asked.push(decodeURIComponent(request.url ?? ''))
    bodies.push(new URLSearchParams(body))
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
})

let organizationId: string
let withStripe: Awaited<ReturnType<typeof buildHttp>>

const platform = await openTestPlatform()
beforeAll(async () => {
  organizationId = platform.organization.id
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
  const apiUrl = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`
  const shared = { secretKey: 'sk_test_x', webhookSecret: 'whsec_x', publicUrl: 'https://assay.example' }
  const payments = stripePayments({ ...shared, apiUrl, makesInvoices: true })
  withStripe = await buildHttp({ ...platform.services, payments }, allRoutes, { logger: false })
})
beforeEach(() => {
  asked = []
})
afterAll(async () => {
  await withStripe.close()
  await platform.close()
  await new Promise((resolve) => stub.close(resolve))
})

type Row = typeof checkoutSessions.$inferInsert

async function payment(facts: Partial<Row> = {}) {
  const id = randomUUID()
  const at = facts.createdAt ?? '2026-11-20T10:00:00.000000Z'
  const session = { id, organizationId, userId: randomUUID(), provider: 'stripe' as const, providerId: `cs_${id}` }
  const times = { createdAt: at, expiresAt: at, paidAt: at, postedAt: at }
  await platform.services.db
    .insert(checkoutSessions)
    .values({ ...session, ...times, amountMicros: 25_000_000n, status: 'posted', ...facts })
  return id
}

async function ask(path: string, key = platform.admin) {
  const headers = { authorization: `Bearer ${key}` }
  const response = await withStripe.inject({ method: 'GET', url: `/admin/v1/payments${path}`, headers })
  return { status: response.statusCode, json: response.json() }
}

test('payments are listed page by page, newest first, each with its state', async () => {
  const old = await payment({ createdAt: '2026-11-01T10:00:00.000000Z' })
  const held = await payment({ status: 'mismatched', paidAmount: 2000n, paidCurrency: 'eur' })
  const local = await payment({ provider: 'local', createdAt: '2026-11-22T10:00:00.000000Z' })
  await payment({ providerId: null })
  const first = await ask('?page_size=2')
  expect(first).toMatchObject({ status: 200, json: { provider: 'stripe' } })
  const { json: second } = await ask(`?page_size=2&page_token=${first.json.nextPageToken}`)
  expect(second.nextPageToken).toBeUndefined()
  expect([...first.json.payments, ...second.payments]).toMatchObject([
    { id: local, status: 'posted', hasReceipt: false },
    { id: held, status: 'mismatched', paid: { amount: '2000', currency: 'eur' }, hasReceipt: true },
    { id: old, amountMicros: '25000000', postedMicros: '25000000', hasReceipt: true, requestedBy: '' },
  ])
})

test.each([
  [
    'the invoice',
    { kind: 'invoice', url: 'https://invoice.stripe.com/i/1' },
    { hosted_invoice_url: 'https://invoice.stripe.com/i/1' },
  ],
  ['the receipt without an invoice', { kind: 'receipt', url: 'https://pay.stripe.com/r/1' }, null],
])('a receipt is %s at Stripe', async (_, expected, invoice) => {
  const id = await payment()
  const charge = { receipt_url: 'https://pay.stripe.com/r/1' }
  answer = { status: 200, body: { id: 'cs', invoice, payment_intent: { latest_charge: charge } } }
  expect(await ask(`/${id}/receipt`)).toEqual({ status: 200, json: expected })
  expect(asked).toEqual([`/v1/checkout/sessions/cs_${id}?expand[0]=invoice&expand[1]=payment_intent.latest_charge`])
})

test('412 failed_precondition where Stripe has no document, or one that no browser should open', async () => {
  const id = await payment()
  for (const url of [null, 'javascript:alert(1)', 'http://pay.stripe.com/r/1']) {
    answer = {
      status: 200,
      body: { id: 'cs', invoice: 'in_1', payment_intent: { latest_charge: { receipt_url: url } } },
    }
    expect(await ask(`/${id}/receipt`)).toMatchObject({ status: 412, json: { error: 'failed_precondition' } })
  }
})

test('412 failed_precondition for a payment that was not made through Stripe, which is not asked', async () => {
  for (const facts of [{ provider: 'local' as const }, { paidAt: null, status: 'expired' as const }])
    expect((await ask(`/${await payment(facts)}/receipt`)).status).toBe(412)
  expect(asked).toEqual([])
})

test('503 unavailable when Stripe does not answer', async () => {
  answer = { status: 401, body: { error: { message: 'no' } } }
  expect(await ask(`/${await payment()}/receipt`)).toMatchObject({ status: 503, json: { error: 'unavailable' } })
})

test('404 not_found for the payment of another organization, and 403 for members', async () => {
  const other = await createOrganization(platform.services, { slug: 'elsewhere' })
  const foreign = await payment({ organizationId: other.id })
  for (const id of [foreign, randomUUID(), 'x']) expect((await ask(`/${id}/receipt`)).status).toBe(404)
  const member = await platform.newKey({ role: 'member' })
  for (const path of ['', `/${await payment()}/receipt`])
    expect(await ask(path, member)).toMatchObject({ status: 403, json: { error: 'permission_denied' } })
  expect(asked).toEqual([])
})

test('Stripe makes an invoice for a top-up where the operator wants them', async () => {
  answer = { status: 200, body: { id: 'cs_new', url: 'https://checkout.stripe.com/c/1', expires_at: 4e9 } }
  const headers = { authorization: `Bearer ${platform.admin}` }
  const url = '/api/v1/credits/reload'
  await withStripe.inject({ method: 'POST', url, headers, payload: { amountUsd: '25' } })
  expect(bodies.at(-1)?.get('invoice_creation[enabled]')).toBe('true')
})

test('a platform without payments says so', async () => {
  const app = await buildHttp({ ...platform.services, payments: null }, allRoutes, { logger: false })
  const headers = { authorization: `Bearer ${platform.admin}` }
  const response = await app.inject({ method: 'GET', url: '/admin/v1/payments', headers })
  expect(response.json().provider).toBeNull()
  await app.close()
})
