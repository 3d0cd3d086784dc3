import { expect, test, vi } from 'vitest'

import { knownKey } from '#bff/testing/stub-platform.ts'
import { startBff } from '#bff/testing/start-bff.ts'

const routes = [
  ['GET', '/session/all'],
  ['DELETE', '/session/all/x'],
  ['DELETE', '/session/others'],
  ['DELETE', '/session/everywhere'],
] as const

test.each(routes)(
  '%s %s gives nothing to a session whose key was revoked, and ends that session',
  async (method, path) => {
    const bff = await startBff()
    const thief = await bff.signIn()
    bff.platform.revoke(knownKey)
    const owner = await bff.signIn('assay_second_key_of_ada')
    const { status, text } = await bff.request(method, path, { headers: thief })
    if (path === '/session/everywhere') expect(JSON.parse(text)).toMatchObject({ signedIn: false })
    else expect(status).toBe(401)
    const { text: state } = await bff.request('GET', '/session', { headers: thief })
    expect(JSON.parse(state)).toMatchObject({ signedIn: false })
    const { text: list } = await bff.request('GET', '/session/all', { headers: owner })
    expect(JSON.parse(list).sessions).toMatchObject([{ isCurrent: true }])
  },
)

test('requests at the same time ask the platform together, and a revoked key is noticed while they go on', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  const status = async () => (await bff.request('GET', '/session/all', { headers })).status
  expect(new Set(await Promise.all(Array.from({ length: 20 }, status)))).toEqual(new Set([200]))
  expect(bff.platform.seen.filter(({ url }) => url.endsWith('/whoami')).length).toBeLessThan(20)
  bff.platform.revoke(knownKey)
  await vi.waitFor(async () => expect(await status()).toBe(401), { timeout: 20_000 })
})

test('while the platform does not answer, a page stays signed in, but no session is listed or ended', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  await bff.platform.stop()
  expect(JSON.parse((await bff.request('GET', '/session', { headers })).text)).toMatchObject({ signedIn: true })
  expect((await bff.request('GET', '/session/all', { headers })).status).toBe(503)
  expect((await bff.request('DELETE', '/session/others', { headers })).status).toBe(503)
})
