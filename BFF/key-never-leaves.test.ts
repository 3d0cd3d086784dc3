import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'
import { knownKey } from '#bff/testing/stub-platform.ts'

test('no response and no log line contains a key or a session id', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  const secret = await bff.readDemoSecret()
  const demo = await bff.openDemo()
  const answers = [
    await bff.request('GET', '/session', { headers }),
    await bff.request('POST', '/session/demo', { headers: demo, body: '{"person":"admin"}' }),
    await bff.request('POST', '/session/demo-link', { headers, body: JSON.stringify({ secret }) }),
    await bff.request('GET', '/api/v1/whoami', { headers }),
    await bff.request('POST', '/session', { headers, body: `{"apiKey":"${knownKey}","broken` }),
  ]
  await bff.platform.stop()
  const again = await bff.signIn()
  answers.push(await bff.request('GET', '/api/v1/whoami', { headers: again }))
  answers.push(await bff.request('POST', '/session', { headers, body: JSON.stringify({ apiKey: knownKey }) }))

  const bodies = answers.map(({ text, headers: sent }) => text + JSON.stringify({ ...sent, 'set-cookie': undefined }))
  const sessionId = headers.cookie.split('=')[1] ?? 'none'
  expect(sessionId).toHaveLength(43)
  for (const text of [...bodies, bff.readLog()]) {
    expect(text).not.toContain(knownKey)
    expect(text).not.toContain(sessionId)
    expect(text).not.toContain(secret)
    expect(text).not.toContain(demo.cookie.split('=')[1])
  }
})

test('the caller’s cookies, credentials and hop-by-hop headers are not forwarded', async () => {
  const bff = await startBff()
  const signedIn = await bff.signIn()
  const headers = {
    ...signedIn,
    authorization: 'Bearer planted',
    'x-api-key': 'planted',
    'x-forwarded-for': '203.0.113.9',
    'proxy-authorization': 'planted',
    te: 'trailers',
    upgrade: 'h2c',
    'if-none-match': '"etag"',
  }
  await bff.request('GET', '/api/v1/runs', { headers })

  const { host, connection, ...seen } = bff.platform.seen[0]?.headers ?? {}
  expect(bff.platform.url).toContain(host)
  expect(connection).toBe('keep-alive')
  expect(seen).toEqual({
    authorization: `Bearer ${knownKey}`,
    'content-type': 'application/json',
    'if-none-match': '"etag"',
    // The address of the connection, not the one the caller sent.
    'x-forwarded-for': '127.0.0.1',
    'x-request-id': expect.any(String),
  })
})

test('cookies and CORS headers of the platform do not reach the browser', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  bff.platform.answerWith((_request, response) =>
    response.writeHead(200, { 'set-cookie': 'a=b', 'access-control-allow-origin': '*', server: 'x' }).end('{}'),
  )
  const answer = await bff.request('GET', '/api/v1/runs', { headers })
  for (const name of ['set-cookie', 'access-control-allow-origin', 'server']) {
    expect(answer.headers[name]).toBeUndefined()
  }
})
