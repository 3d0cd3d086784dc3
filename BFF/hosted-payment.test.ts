import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'

const id = `cs_local_${'x'.repeat(43)}`
const form = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }

test('a payment notice reaches the platform byte for byte, with its signature and without session data', async () => {
  const bff = await startBff()
  const { cookie } = await bff.signIn()
  const body = '{ "b": 1,\n "a": "é" }'
  const headers = { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=abc', cookie }
  const answer = await bff.request('POST', '/webhooks/stripe', { headers, body })
  expect(answer.status).toBe(200)
  const [seen] = bff.platform.seen
  expect([seen?.url, seen?.body]).toEqual(['/webhooks/stripe', body])
  expect(seen?.headers).toMatchObject({ 'stripe-signature': 't=1,v1=abc' })
  expect(seen?.headers.cookie).toBeUndefined()
  expect(seen?.headers.authorization).toBeUndefined()
})

test('the local payment page has its own security policy, and its form leads back to Credits', async () => {
  const bff = await startBff()
  bff.platform.answerWith((request, response) =>
    request.method === 'GET'
      ? response
          .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "default-src 'none'; x" })
          .end('<p>')
      : response.writeHead(303, { location: '/o/lab/credits?top_up=1', 'set-cookie': 'a=b' }).end(),
  )
  const page = await bff.request('GET', `/checkout/${id}`, { headers: { accept: 'text/html' } })
  expect([page.status, page.headers['content-security-policy']]).toEqual([200, "default-src 'none'; x"])
  const paid = await bff.request('POST', `/checkout/${id}`, { headers: form })
  expect([paid.status, paid.headers.location]).toEqual([303, '/o/lab/credits?top_up=1'])
  expect(paid.headers['set-cookie']).toBeUndefined()
})

test.each(['https://evil.example/', '//evil.example/credits', '/o/lab//evil.example', '/o/lab/credits.evil'])(
  'a payment cannot redirect to %s',
  async (location) => {
    const bff = await startBff()
    bff.platform.answerWith((_, response) => response.writeHead(303, { location }).end())
    const paid = await bff.request('POST', `/checkout/${id}`, { headers: form })
    expect(paid.headers.location).toBeUndefined()
  },
)

test('a payment cannot be submitted from another site or redirect to one', async () => {
  const bff = await startBff()
  bff.platform.answerWith((_, response) => response.writeHead(303, { location: 'https://evil.example/' }).end())
  const foreign = await bff.request('POST', `/checkout/${id}`, { headers: { ...form, 'sec-fetch-site': 'cross-site' } })
  expect(foreign.status).toBe(403)
  expect(bff.platform.seen).toEqual([])
  const own = await bff.request('POST', `/checkout/${id}`, { headers: form })
  expect(own.headers.location).toBeUndefined()
})

test.each(['..%2Fapi%2Fv1%2Fwhoami', 'cs_live_1', `${id}%2F..%2F..%2Foperator`])(
  '404 for %s, which is not a payment',
  async (path) => {
    const bff = await startBff()
    expect((await bff.request('GET', `/checkout/${path}`)).status).toBe(404)
    expect(bff.platform.seen).toEqual([])
  },
)
