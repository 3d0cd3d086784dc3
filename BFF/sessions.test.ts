import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'

const minutes = (count: number) => count * 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

test('a session ends after 30 idle minutes', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  const status = async () => (await bff.request('GET', '/api/v1/whoami', { headers })).status

  later(minutes(29))
  expect(await status()).toBe(200)
  later(minutes(29))
  expect(await status()).toBe(200)
  later(minutes(31))
  expect(await status()).toBe(401)
})

test('a session ends after 12 hours, however busy', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  const status = async () => (await bff.request('GET', '/api/v1/whoami', { headers })).status

  for (let hour = 0; hour < 24; hour += 1) {
    later(minutes(29))
    expect(await status()).toBe(200)
  }
  later(minutes(25))
  expect(await status()).toBe(401)
})

test('signing out ends the session at once', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  const answer = await bff.request('DELETE', '/session', { headers })

  expect(JSON.parse(answer.text)).toMatchObject({ signedIn: false })
  expect(answer.headers['set-cookie']?.[0]).toContain('Max-Age=0')
  expect((await bff.request('GET', '/api/v1/whoami', { headers })).status).toBe(401)
})

test('signing out on all devices ends every session of the person at once, whichever key began it, and nobody else’s', async () => {
  const bff = await startBff()
  const [here, there, otherKey] = [await bff.signIn(), await bff.signIn(), await bff.signIn('assay_second_key_of_ada')]
  const somebodyElse = await bff.signIn('assay_key_of_max')
  const answer = await bff.request('DELETE', '/session/everywhere', { headers: here })

  expect(answer.headers['set-cookie']?.[0]).toContain('Max-Age=0')
  const status = async (headers: Record<string, string>) =>
    (await bff.request('GET', '/api/v1/runs', { headers })).status
  expect(await Promise.all([here, there, otherKey, somebodyElse].map(status))).toEqual([401, 401, 401, 200])
})

test('signing out on all devices needs a session of one’s own, and no other site can ask for it', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  await bff.request('DELETE', '/session/everywhere', { headers: bff.ownWrite })
  const elsewhere = await bff.request('DELETE', '/session/everywhere', { headers: { cookie: headers.cookie } })
  expect(elsewhere.status).toBe(403)
  expect((await bff.request('GET', '/api/v1/runs', { headers })).status).toBe(200)
})

test('signing in again replaces the session', async () => {
  const bff = await startBff()
  const first = await bff.signIn()
  const again = await bff.request('POST', '/session/demo', { headers: first, body: '{"person":"admin"}' })

  expect(again.headers['set-cookie']?.[0]).not.toContain(first.cookie)
  expect((await bff.request('GET', '/api/v1/whoami', { headers: first })).status).toBe(401)
})

test('a key the platform no longer accepts ends its session', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  bff.platform.answerWith((_request, response) => response.writeHead(401).end('{"error":"unauthenticated"}'))

  expect((await bff.request('GET', '/api/v1/runs', { headers })).status).toBe(401)
  bff.platform.answerWith((_request, response) => response.end('{}'))
  expect((await bff.request('GET', '/api/v1/runs', { headers })).status).toBe(401)
})

test('the cookie is one that scripts, other sites and plain http elsewhere cannot reach', async () => {
  const bff = await startBff()
  const answer = await bff.request('POST', '/session/demo', { headers: bff.ownWrite, body: '{"person":"admin"}' })
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-assay-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
  ])
})
