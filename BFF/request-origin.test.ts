import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { demoKeys, startBff } from '#bff/testing/start-bff.ts'

type Bff = Awaited<ReturnType<typeof startBff>>

const demoPeople = async (bff: Bff, headers: Record<string, string> = {}) =>
  JSON.parse((await bff.request('GET', '/session', { headers })).text).demoPeople

test.for(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:4400', '10.0.0.7:4400'])(
  '403 for every request to the host %j',
  async (host) => {
    const bff = await startBff()
    for (const path of ['/', '/session', '/healthz', '/api/v1/whoami', '/assets/app-1a2b.js']) {
      expect((await bff.request('GET', path, { headers: { host } })).status).toBe(403)
    }
  },
)

test.for(['127.0.0.1:4400', 'localhost', 'LOCALHOST:80', '[::1]:4400'])('the host %s is served', async (host) => {
  const bff = await startBff()
  const { name, email } = demoKeys[0] ?? {}
  expect(await demoPeople(bff, { host })).toEqual([{ id: 'admin', name, email }])
})

test('a demo user signs in without a key', async () => {
  const bff = await startBff()
  const response = await bff.request('POST', '/session/demo', { headers: bff.pageHeaders, body: '{"person":"admin"}' })
  expect([response.status, JSON.parse(response.text).signedIn]).toEqual([200, true])
})

test.for<[string, Record<string, string>, Record<string, string>]>([
  ['there is a public address', { PUBLIC_URL: 'https://assay.example' }, {}],
  ['the request was forwarded for another address', {}, { 'x-forwarded-for': '203.0.113.9' }],
  ['the platform is not embedded', { DEMO_KEYS_FILE: '' }, {}],
])('there are no demo users if %s', async ([, environment, headers]) => {
  const bff = await startBff(environment)
  expect(await demoPeople(bff, headers)).toEqual([])

  const proof = environment.PUBLIC_URL ? { ...bff.pageHeaders, origin: environment.PUBLIC_URL } : bff.pageHeaders
  const call = { headers: { ...proof, ...headers }, body: '{"person":"admin"}' }
  expect((await bff.request('POST', '/session/demo', call)).status).toBe(404)
})

test('there are no demo users until the platform has written their keys', async () => {
  const bff = await startBff()
  await rm(join(bff.folder, 'demo-keys.json'))
  expect(await demoPeople(bff)).toEqual([])
})

test('demo users cannot sign in after the platform has revoked their keys, and the page shows that the demo sign-in is off', async () => {
  const bff = await startBff()
  const revoked = demoKeys.map((person) => ({ ...person, apiKey: 'assay_revoked_key' }))
  await writeFile(join(bff.folder, 'demo-keys.json'), JSON.stringify(revoked))
  const { text } = await bff.request('GET', '/session')
  expect(JSON.parse(text)).toEqual({ signedIn: false, demoPeople: [], demoIsOff: true })
  const response = await bff.request('POST', '/session/demo', { headers: bff.pageHeaders, body: '{"person":"admin"}' })
  expect([response.status, JSON.parse(response.text).error]).toEqual([412, 'failed_precondition'])
  expect(JSON.parse(response.text).message).toContain('second organization')
})

test('a platform that does not answer does not turn the demo sign-in off', async () => {
  const bff = await startBff()
  await bff.platform.stop()
  expect(await demoPeople(bff)).toHaveLength(1)
})
