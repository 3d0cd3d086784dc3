import { get } from 'node:http'

import { expect, test } from 'vitest'

import { apiDocumentPath } from '#contract/session.ts'
import { startBff } from '#bff/testing/start-bff.ts'
import { limits } from '#contract/wire/limit.ts'

test('401 unauthenticated without a session', async () => {
  const bff = await startBff()
  for (const cookie of ['', '__Host-assay-session=guess']) {
    const answer = await bff.request('GET', '/api/v1/whoami', { headers: { cookie } })
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.text)).toMatchObject({ error: 'unauthenticated', requestId: expect.any(String) })
  }
  expect(bff.platform.seen).toEqual([])
})

test('503 unavailable when the platform is down', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  await bff.platform.stop()
  const answer = await bff.request('GET', '/api/v1/whoami', { headers })
  expect([answer.status, JSON.parse(answer.text).error]).toEqual([503, 'unavailable'])
})

test('503 unavailable when the platform takes too long', async () => {
  const bff = await startBff({ PLATFORM_TIMEOUT_SECONDS: '0.2' })
  const headers = await bff.signIn()
  bff.platform.answerWith(() => {})
  expect((await bff.request('GET', '/api/v1/runs', { headers })).status).toBe(503)
})

test('the first bytes of a response arrive while the platform still writes', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  let finish = () => {}
  bff.platform.answerWith((_request, response) => {
    response.write('first ')
    finish = () => response.end('last')
  })

  const text = await new Promise<string>((resolve) => {
    let received = ''
    get({ host: '127.0.0.1', port: bff.port, path: '/api/v1/runs', headers }, (answer) => {
      answer.on('data', (chunk) => {
        received += String(chunk)
        if (received === 'first ') finish()
      })
      answer.on('end', () => resolve(received))
    })
  })
  expect(text).toBe('first last')
})

test('a client that disconnects stops the platform’s work', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  const stopped = new Promise((resolve) =>
    bff.platform.answerWith((_request, response) => {
      response.once('close', () => resolve('stopped'))
      sending.destroy()
    }),
  )
  const sending = get({ host: '127.0.0.1', port: bff.port, path: '/api/v1/runs', headers })
  sending.on('error', () => {})
  expect(await stopped).toBe('stopped')
})

test('status, content type, ETag and bytes of a response pass through, and 304 stays 304', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  bff.platform.answerWith((request, response) => {
    const isKnown = request.headers['if-none-match'] === '"v1"'
    response.writeHead(isKnown ? 304 : 202, { etag: '"v1"', 'content-type': 'text/yaml' })
    response.end(isKnown ? undefined : 'id: x  # as written\n')
  })

  const first = await bff.request('GET', '/api/v1/experiments/x/yaml', { headers })
  expect([first.status, first.headers['content-type'], first.headers.etag, first.text]).toEqual([
    202,
    'text/yaml',
    '"v1"',
    'id: x  # as written\n',
  ])
  expect(first.headers['cache-control']).toBe('private, no-cache')

  const again = await bff.request('GET', '/api/v1/experiments/x/yaml', {
    headers: { ...headers, 'if-none-match': '"v1"' },
  })
  expect([again.status, again.text]).toEqual([304, ''])
})

test('a request body is forwarded byte for byte, whatever its type', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  const body = '{ "broken": 日本\n'
  for (const type of ['text/yaml', 'application/json', 'application/x-anything']) {
    await bff.request('POST', '/api/v1/experiments', { headers: { ...headers, 'content-type': type }, body })
  }
  expect(bff.platform.seen.map((seen) => [seen.headers['content-type'], seen.body])).toEqual([
    ['text/yaml', body],
    ['application/json', body],
    ['application/x-anything', body],
  ])
})

test('the platform rejects a body just over its limit; the BFF rejects a huge one', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  const push = (bytes: number) => bff.request('POST', '/api/v1/experiments', { headers, body: 'x'.repeat(bytes) })

  expect((await push(limits.largeBodyBytes + 1)).status).toBe(200)
  const answer = await push(limits.largeBodyBytes + 1_000_000)
  expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, 'invalid_argument'])
})

test('only signed-in pages can read the API document', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()
  expect((await bff.request('GET', apiDocumentPath)).status).toBe(401)
  expect((await bff.request('GET', apiDocumentPath, { headers })).status).toBe(200)
  expect(bff.platform.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /api/v1/openapi.json'])
})
