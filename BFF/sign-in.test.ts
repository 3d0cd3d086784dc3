import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'
import { knownKey } from '#bff/testing/stub-platform.ts'
import { signInHeader } from '#contract/identity.ts'

type Bff = Awaited<ReturnType<typeof startBff>>

const signIn = (bff: Bff, apiKey: string) =>
  bff.request('POST', '/session', { headers: bff.pageHeaders, body: JSON.stringify({ apiKey }) })

test('a key is checked with the platform before a session starts', async () => {
  const bff = await startBff()
  const response = await signIn(bff, ` ${knownKey}\n`)

  expect([response.status, JSON.parse(response.text).signedIn]).toEqual([200, true])
  expect(bff.platform.seen[0]).toMatchObject({
    url: '/api/v1/whoami',
    headers: { authorization: `Bearer ${knownKey}` },
  })
})

test.for(['wrong', 'two words', 'naïve\r\nx-evil: 1'])('401 unauthenticated for the unknown key %j', async (apiKey) => {
  const bff = await startBff()
  const response = await signIn(bff, apiKey)
  expect([response.status, JSON.parse(response.text).error]).toEqual([401, 'unauthenticated'])
  expect(response.headers['set-cookie']).toBeUndefined()
})

test.for(['{}', '{"apiKey":""}', 'not json', `{"apiKey":"${'x'.repeat(501)}"}`])(
  '400 invalid_argument for the body %s',
  async (body) => {
    const bff = await startBff()
    const response = await bff.request('POST', '/session', { headers: bff.pageHeaders, body })
    expect([response.status, JSON.parse(response.text).error]).toEqual([400, 'invalid_argument'])
  },
)

test('429 resource_exhausted after ten wrong keys with the same first characters in a minute; a valid key is never rejected', async () => {
  const bff = await startBff()
  // Same first characters as the valid key, same address.
  const wrong = `${knownKey.slice(0, 15)}-wrong`
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await signIn(bff, wrong)).status).toBe(401)

  const response = await signIn(bff, wrong)
  expect([response.status, JSON.parse(response.text).error]).toEqual([429, 'resource_exhausted'])
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  expect((await signIn(bff, 'assay_another_beginning')).status).toBe(401)
  expect((await signIn(bff, knownKey)).status).toBe(200)
})

test('addresses of one IPv6 /64 network share the limit of wrong keys, and other networks have their own', async () => {
  const bff = await startBff({ PUBLIC_URL: 'https://assay.example' })
  const tryFrom = async (address: string) => {
    const headers = { ...bff.pageHeaders, origin: 'https://assay.example', 'x-forwarded-for': address }
    return (await bff.request('POST', '/session', { headers, body: '{"apiKey":"assay_wrong_key"}' })).status
  }
  for (let host = 1; host <= 10; host += 1) expect(await tryFrom(`2001:db8:0:1::${host}`)).toBe(401)
  expect(await tryFrom('2001:db8:0:1:ffff::1')).toBe(429)
  expect(await tryFrom('2001:db8:0:2::1')).toBe(401)
})

test.for([
  ['', '10.1.0.7'],
  ['10.1.0.0/16, fd00::/8', '203.0.113.9'],
  ['10.2.0.0/16', '10.1.0.7'],
] as const)(
  'with TRUSTED_PROXIES=%j, the caller behind a proxy of another machine is %s',
  async ([proxies, address]) => {
    const bff = await startBff({ PUBLIC_URL: 'https://assay.example', TRUSTED_PROXIES: proxies })
    const forwarded = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9, 10.1.0.7' }
    const headers = { ...bff.pageHeaders, origin: 'https://assay.example', ...forwarded }
    await bff.request('POST', '/session', { headers, body: JSON.stringify({ apiKey: knownKey }) })
    expect(bff.platform.seen[0]?.headers['x-forwarded-for']).toBe(address)
  },
)

test('the BFF sends the platform the kind of a sign-in and the address it came from', async () => {
  const bff = await startBff()
  const headers = { ...bff.pageHeaders, 'x-forwarded-for': '203.0.113.9' }
  await bff.request('POST', '/session', { headers, body: JSON.stringify({ apiKey: knownKey }) })
  expect(bff.platform.seen[0]?.headers).toMatchObject({ [signInHeader]: 'key', 'x-forwarded-for': '127.0.0.1' })
})

test('503 unavailable when the platform is down', async () => {
  const bff = await startBff()
  await bff.platform.stop()
  const response = await signIn(bff, knownKey)
  expect([response.status, JSON.parse(response.text).error]).toEqual([503, 'unavailable'])
})
