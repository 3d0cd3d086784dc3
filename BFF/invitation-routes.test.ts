import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'

const token = `invite_${'a'.repeat(43)}`
const body = (sent: object) => JSON.stringify(sent)

test('an invitation is asked for with its token in place of a key, and no address or log has the token', async () => {
  const bff = await startBff()
  bff.platform.answerWith((_, response) => response.end('{"organizationName":"Lab"}'))
  const shown = await bff.request('POST', '/session/invitation', { headers: bff.pageHeaders, body: body({ token }) })
  expect([shown.status, shown.text, shown.headers['cache-control']]).toEqual([
    200,
    '{"organizationName":"Lab"}',
    'no-store',
  ])
  const joined = { headers: bff.pageHeaders, body: body({ token, name: 'Grace' }) }
  expect((await bff.request('POST', '/session/join', joined)).status).toBe(200)
  expect(bff.platform.seen).toMatchObject([
    { method: 'GET', url: '/admin/v1/invitation', body: '' },
    { method: 'POST', url: '/admin/v1/invitation/join', body: '{"name":"Grace"}' },
  ])
  expect(bff.platform.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`, `Bearer ${token}`])
  expect(bff.readLog()).not.toContain(token)
})

test('a session’s key is never sent in place of a token, and a refusal keeps its words and its session', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  bff.platform.answerWith((_, response) => response.writeHead(412).end('{"message":"It was revoked"}'))
  const refused = await bff.request('POST', '/session/invitation', { headers, body: body({ token }) })
  expect([refused.status, refused.text]).toEqual([412, '{"message":"It was revoked"}'])
  expect(refused.headers['set-cookie']).toBeUndefined()
  expect(bff.platform.seen[0]?.headers.authorization).toBe(`Bearer ${token}`)
})

test.each(['', 'x', 'assay_known_key_0123456789', `${token}\r\nx: y`])(
  '404 for %j, which is no token',
  async (text) => {
    const bff = await startBff()
    const sent = { headers: bff.pageHeaders, body: body({ token: text }) }
    expect((await bff.request('POST', '/session/invitation', sent)).status).toBe(404)
    expect(bff.platform.seen).toEqual([])
  },
)

test('429 with a wait after ten links that cannot be used, and none for those that can', async () => {
  const bff = await startBff()
  const ask = () => bff.request('POST', '/session/invitation', { headers: bff.pageHeaders, body: body({ token }) })
  const statuses = async (times: number) => {
    const all = []
    for (let each = 0; each < times; each += 1) all.push((await ask()).status)
    return new Set(all)
  }
  bff.platform.answerWith((_, response) => response.end('{}'))
  expect(await statuses(15)).toEqual(new Set([200]))
  bff.platform.answerWith((_, response) => response.writeHead(404).end('{}'))
  expect(await statuses(10)).toEqual(new Set([404]))
  const late = await ask()
  expect([late.status, Number(late.headers['retry-after']) > 0]).toEqual([429, true])
})

test('403 for a page of another site, which cannot spend a link', async () => {
  const bff = await startBff()
  const headers = { ...bff.pageHeaders, 'sec-fetch-site': 'cross-site' }
  const sent = { headers, body: body({ token, name: 'Grace' }) }
  expect((await bff.request('POST', '/session/join', sent)).status).toBe(403)
  expect(bff.platform.seen).toEqual([])
})
