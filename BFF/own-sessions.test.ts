import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'
import { unprovenKey } from '#bff/testing/stub-platform.ts'
import type { OwnSession } from '#contract/session.ts'

type Bff = Awaited<ReturnType<typeof startBff>>
type Headers = Awaited<ReturnType<Bff['signIn']>>

const list = async (bff: Bff, headers: Headers) => {
  const { text } = await bff.request('GET', '/session/all', { headers })
  return JSON.parse(text).sessions as OwnSession[]
}
const statusOf = async (bff: Bff, headers: Headers) => (await bff.request('GET', '/api/v1/runs', { headers })).status
const second = 'assay_second_key_of_ada'

test('a person sees their sessions of every key and no others, even after a restart, and no id or key among them', async () => {
  const bff = await startBff()
  const [ada, laptop, max] = [await bff.signIn(), await bff.signIn(second), await bff.signIn('assay_key_of_max')]
  for (const _ of ['before', 'after the restart']) {
    const seen = await list(bff, ada)
    expect(seen.map(({ isCurrent, address }) => [isCurrent, address]).toSorted()).toEqual([
      [false, '127.0.0.1'],
      [true, '127.0.0.1'],
    ])
    for (const { cookie } of [ada, laptop]) expect(JSON.stringify(seen)).not.toContain(cookie.split('=')[1])
    expect(JSON.stringify(seen)).not.toContain('assay_')
    expect(await list(bff, max)).toHaveLength(1)
    await bff.restart()
  }
})

test('a person ends one session by its name, and nobody ends that of somebody else', async () => {
  const bff = await startBff()
  const [ada, laptop, max] = [await bff.signIn(), await bff.signIn(second), await bff.signIn('assay_key_of_max')]
  const other = (await list(bff, ada)).find(({ isCurrent }) => !isCurrent)
  const end = (headers: Headers, name = other?.name ?? '') =>
    bff.request('DELETE', `/session/all/${encodeURIComponent(name)}`, { headers })
  for (const name of [other?.name, '../sessions', '.', 'x'.repeat(43)]) expect((await end(max, name)).status).toBe(404)
  expect(await statusOf(bff, laptop)).toBe(200)
  expect((await end(ada)).status).toBe(204)
  expect(await Promise.all([ada, laptop, max].map((each) => statusOf(bff, each)))).toEqual([200, 401, 200])
  expect((await end(ada)).status).toBe(404)
})

test('a session that only the disk knows is ended too, and cannot return', async () => {
  const bff = await startBff()
  const [ada, laptop] = [await bff.signIn(), await bff.signIn(second)]
  await bff.restart()
  expect((await bff.request('DELETE', '/session/others', { headers: ada })).status).toBe(204)
  expect([await statusOf(bff, ada), await statusOf(bff, laptop)]).toEqual([200, 401])
  expect(await list(bff, ada)).toHaveLength(1)
})

test('401 without a session, and 403 for a page of another site', async () => {
  const bff = await startBff()
  expect((await bff.request('GET', '/session/all')).status).toBe(401)
  const ada = await bff.signIn()
  const headers = { ...ada, 'sec-fetch-site': 'cross-site' }
  expect((await bff.request('DELETE', '/session/others', { headers })).status).toBe(403)
})

test('403 for a person whose address nobody has proven: somebody else may have joined with it', async () => {
  const bff = await startBff()
  const [here, there] = [await bff.signIn(unprovenKey), await bff.signIn(unprovenKey)]
  for (const [method, path] of [
    ['GET', '/session/all'],
    ['DELETE', `/session/all/${'x'.repeat(43)}`],
    ['DELETE', '/session/others'],
    ['DELETE', '/session/everywhere'],
  ] as const) {
    const { status, text } = await bff.request(method, path, { headers: here })
    expect([path, status, JSON.parse(text).error]).toEqual([path, 403, 'permission_denied'])
  }
  expect(await statusOf(bff, there)).toBe(200)
  expect((await bff.request('DELETE', '/session', { headers: here })).status).toBe(200)
  expect(await statusOf(bff, here)).toBe(401)
})
