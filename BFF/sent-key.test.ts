import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'
import { knownKey } from '#bff/testing/stub-platform.ts'

test('a program calls the API at the address of the app with its own key, without a session or the app’s header', async () => {
  const bff = await startBff()
  const headers = { authorization: `Bearer ${knownKey}`, 'content-type': 'application/json' }
  expect((await bff.request('GET', '/api/v1/runs', { headers })).status).toBe(200)
  expect((await bff.request('POST', '/api/v1/experiments/a/fork', { headers, body: '{}' })).status).toBeLessThan(300)
  expect(bff.platform.seen.at(-1)?.headers['authorization']).toBe(`Bearer ${knownKey}`)
})

test('a wrong key of a program is refused, and a browser with a session is its session whatever key it sends', async () => {
  const bff = await startBff()
  const authorization = 'Bearer assay_wrong'
  expect((await bff.request('GET', '/api/v1/whoami', { headers: { authorization } })).status).toBe(401)
  const signedIn = await bff.signIn()
  const headers = { ...signedIn, authorization }
  expect((await bff.request('GET', '/api/v1/whoami', { headers })).status).toBe(200)
  expect((await bff.request('GET', '/api/v1/whoami', { headers: signedIn })).status).toBe(200)
})

test('a key does not make a write of a browser one of a program', async () => {
  const bff = await startBff()
  const { cookie } = await bff.signIn()
  const headers = { cookie, authorization: `Bearer ${knownKey}`, 'content-type': 'application/json' }
  expect((await bff.request('POST', '/api/v1/experiments/a/fork', { headers, body: '{}' })).status).toBe(403)
})

test('a write with a key outside the API still needs the app’s header', async () => {
  const bff = await startBff()
  const headers = { authorization: `Bearer ${knownKey}`, 'content-type': 'application/json' }
  expect((await bff.request('POST', '/session', { headers, body: '{}' })).status).toBe(403)
})

test('editors read the JSON Schema of the definition without a key', async () => {
  const bff = await startBff()
  const { status, headers, text } = await bff.request('GET', '/schemas/experiment.json')
  expect([status, headers['content-type']]).toEqual([200, 'application/schema+json; charset=utf-8'])
  expect(JSON.parse(text).properties.agents).toBeDefined()
})
