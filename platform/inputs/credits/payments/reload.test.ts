import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { allRoutes } from '#platform/program/server/all-routes.ts'
import { buildHttp } from '#platform/program/server/build-http.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { stripePayments } from './stripe-payments.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const reload = (body: unknown, key = platform.admin) => platform.request('POST', '/credits/reload', { key, body })

const paidBalance = async () => (await platform.request('GET', '/credits/balance')).json.paidBalanceMicros

describe('a reload', () => {
  test('a reload returns a hosted page and posts nothing by itself', async () => {
    const { status, json } = await reload({ amountUsd: '12.5' })
    expect(status).toBe(200)
    expect(json).toEqual({
      url: `https://assay.example/checkout/${json.sessionId}`,
      sessionId: expect.stringMatching(/^cs_local_/),
      orgId: platform.organization.id,
      amountUsd: '12.50',
      amountMicros: '12500000',
      currency: 'usd',
    })
    expect(await paidBalance()).toBe('0')
  })

  test.each(['5', '5.00', '5000', '5000.00', '19.9'])('a reload accepts the amount "%s"', async (amountUsd) => {
    expect((await reload({ amountUsd })).status).toBe(200)
  })

  test.each(['4.99', '5000.01', '0', '99999999999999999999'])(
    '400 invalid_argument for a reload of %s, outside 5 to 5000 USD',
    async (amountUsd) => {
      expect(await reload({ amountUsd })).toMatchObject({ status: 400, json: { error: 'invalid_argument' } })
    },
  )

  test.each([
    '-5',
    '+25',
    '25.001',
    '2e1',
    '1,000',
    '1_000',
    ' 25',
    '25 ',
    '25.',
    '.5',
    '025',
    '',
    '$25',
    '0x19',
    '٢٥',
    25,
    25.5,
    null,
    ['25'],
    undefined,
  ])('400 invalid_argument for a reload of the malformed amount %j', async (amountUsd) => {
    expect(await reload({ amountUsd })).toMatchObject({ status: 400, json: { error: 'invalid_argument' } })
  })

  test('a reload accepts amount_usd, and ignores an org_id in the body', async () => {
    const { status, json } = await reload({ amount_usd: '5', org_id: '00000000-0000-4000-8000-000000000000' })
    expect([status, json.orgId]).toEqual([200, platform.organization.id])
  })

  test('403 permission_denied when a member reloads credit', async () => {
    const answer = await reload({ amountUsd: '25' }, await platform.newKey({ role: 'member' }))
    expect(answer).toMatchObject({ status: 403, json: { error: 'permission_denied' } })
  })
})

describe('the local payment page', () => {
  const visit = async (method: 'GET' | 'POST', url: string) => {
    const app = await buildHttp(platform.services, allRoutes, { logger: false })
    try {
      return await app.inject({ method, url: new URL(url).pathname })
    } finally {
      await app.close()
    }
  }

  test('the local payment page says that it is a test, asks for no card, and posts the credit once however often it is sent', async () => {
    const { json } = await reload({ amountUsd: '40' })
    const before = BigInt(await paidBalance())
    const page = await visit('GET', json.url)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).toContain('Nobody is charged, and no card is asked for.')
    expect(page.body).not.toContain('<input')
    const paid = await visit('POST', json.url)
    expect([paid.statusCode, paid.headers.location]).toEqual([303, `/o/lab/credits?top_up=${json.sessionId}`])
    await visit('POST', json.url)
    expect(BigInt(await paidBalance()) - before).toBe(40_000_000n)
    const { topUps } = (await platform.request('GET', '/credits/balance')).json
    expect(topUps.find(({ sessionId }: { sessionId: string }) => sessionId === json.sessionId)).toMatchObject({
      status: 'posted',
      amountMicros: '40000000',
    })
    const { entries } = (await platform.request('GET', '/notifications')).json
    const notifications = entries.filter(({ type }: { type: string }) => type === 'credit.posted')
    expect(notifications.map(({ payload }: { payload: unknown }) => payload)).toEqual([
      { amount_micros: '40000000', origin: 'top_up' },
    ])
  })

  test('404 not_found for the address of an unknown payment page', async () => {
    for (const name of ['cs_local_unknown', '%00', '%F0%9F%92%B0', 'a%2Fb'])
      expect((await visit('GET', `https://assay.example/checkout/${name}`)).statusCode).toBe(404)
  })
})

test('412 failed_precondition for a reload where the platform takes no payments', async () => {
  const app = await buildHttp({ ...platform.services, payments: null }, allRoutes, { logger: false })
  const headers = { authorization: `Bearer ${platform.admin}` }
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/credits/reload',
    headers,
    payload: { amountUsd: '25' },
  })
  expect([answer.statusCode, answer.json().error]).toEqual([412, 'failed_precondition'])
  await app.close()
})

describe('a reload with Stripe', () => {
  const webhookSecret = 'whsec_x'
  /** The requests that reached the Stripe stub, and its next answer. */
  const asked: { path: string; body: URLSearchParams; idempotencyKey: unknown }[] = []
  const stub = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const path = request.url ?? ''
      asked.push({ path, body: new URLSearchParams(body), idempotencyKey: request.headers['idempotency-key'] })
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({ id: `cs_${asked.length}`, url: 'https://checkout.stripe.com/c/1', expires_at: 4e9 }),
      )
    })
  })
  beforeAll(() => new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve)))
  afterAll(() => new Promise((resolve) => stub.close(resolve)))

  const open = (port: number) =>
    buildHttp(
      {
        ...platform.services,
        payments: stripePayments({
          secretKey: 'sk_test_x',
          webhookSecret,
          apiUrl: `http://127.0.0.1:${port}`,
          makesInvoices: false,
          publicUrl: 'https://assay.example',
        }),
      },
      allRoutes,
      { logger: false },
    )
  const headers = () => ({ authorization: `Bearer ${platform.admin}` })

  test('a reload with Stripe opens a checkout session in payment mode, and its signed notice posts the credit', async () => {
    const app = await open((stub.address() as AddressInfo).port)
    const before = BigInt(await paidBalance())
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/credits/reload',
      headers: headers(),
      payload: { amountUsd: '25' },
    })
    expect(answer.json()).toMatchObject({ url: 'https://checkout.stripe.com/c/1', sessionId: 'cs_1' })
    const [{ path, body, idempotencyKey } = { path: '', body: new URLSearchParams(), idempotencyKey: '' }] = asked
    expect(path).toBe('/v1/checkout/sessions')
    expect(body.get('mode')).toBe('payment')
    const credits = 'https://assay.example/o/lab/credits'
    expect([body.get('success_url'), body.get('cancel_url')]).toEqual([
      `${credits}?top_up={CHECKOUT_SESSION_ID}`,
      credits,
    ])
    expect(body.get('line_items[0][price_data][unit_amount]')).toBe('2500')
    expect(idempotencyKey).toBe(body.get('client_reference_id'))

    const object = { client_reference_id: idempotencyKey, payment_status: 'paid', amount_total: 2500, currency: 'usd' }
    // The signature covers whitespace and key order.
    const payload = JSON.stringify({ type: 'checkout.session.completed', data: { object } }, null, 3)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
    const send = (bytes: string) =>
      app.inject({
        method: 'POST',
        url: '/webhooks/stripe',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        payload: bytes,
      })
    expect((await send(JSON.stringify(JSON.parse(payload)))).statusCode).toBe(400)
    expect((await send(payload)).statusCode).toBe(200)
    expect(BigInt(await paidBalance()) - before).toBe(25_000_000n)
    expect((await app.inject({ method: 'GET', url: '/checkout/cs_1' })).statusCode).toBe(404)
    await app.close()
  })

  test('503 unavailable when Stripe does not answer, and nothing is charged', async () => {
    const app = await open(1)
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/credits/reload',
      headers: headers(),
      payload: { amountUsd: '25' },
    })
    expect([answer.statusCode, answer.json().error]).toEqual([503, 'unavailable'])
    await app.close()
  })
})
