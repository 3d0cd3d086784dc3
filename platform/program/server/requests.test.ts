import { connect } from 'node:net'

import { afterAll, expect, test } from 'vitest'

import { allEndpoints } from '#contract/all-endpoints.ts'
import { limits } from '#contract/wire/limit.ts'
import { allRoutes } from './all-routes.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { buildHttp } from './build-http.ts'

const platform = await openTestPlatform()
await platform.request('POST', '/experiments', { yaml: twoByTwo('known') })
afterAll(() => platform.close())

test('HEAD returns the same response as GET, without a body', async () => {
  for (const path of [
    '/whoami',
    '/experiments/known',
    '/experiments/known/yaml',
    '/runs',
    '/openapi.json',
    '/runs/x',
  ]) {
    const get = await platform.request('GET', path)
    const head = await platform.request('HEAD' as 'GET', path)
    expect([path, head.status, head.text]).toEqual([path, get.status, ''])
    for (const name of ['content-type', 'content-length']) expect(head.headers[name]).toBe(get.headers[name])
  }
})

test('405 with an Allow header for a method that a path does not accept, and 404 for an unknown path', async () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
  const taken = Map.groupBy(allEndpoints, ({ base, path }) => base + path)
  for (const [path, endpoints] of taken) {
    const url = path.replaceAll(/:\w+/g, 'x')
    const wrong = methods.find((method) => endpoints.every((each) => each.method !== method)) ?? 'GET'
    const { status, json, headers } = await platform.request(wrong, url, { yaml: '{ broken' })
    expect([url, status, json.error]).toEqual([url, 405, 'invalid_argument'])
    for (const { method } of endpoints) expect(String(headers['allow']).split(', ')).toContain(method)
    expect(json.message).toMatch(/^`\/(api|admin)\/v1\/.*` accepts .*, not [A-Z]+$/)
  }
  expect((await platform.request('DELETE', '/nowhere')).status).toBe(404)
})

test('an empty Content-Type counts as missing: a body is rejected in the error envelope, and no body is accepted', async () => {
  const headers = { 'content-type': '' }
  const pushed = await platform.request('POST', '/experiments', { yaml: twoByTwo('untyped'), headers })
  expect(pushed.status).toBe(200)
  const refused = await platform.request('POST', '/reports', { yaml: '{"title":"x"}', headers })
  expect([refused.status, refused.json.error]).toEqual([400, 'invalid_argument'])
  expect(refused.json.message).toBe('This route needs a JSON body (Content-Type: application/json)')
  const garbage = await platform.request('POST', '/reports', { yaml: '{}', headers: { 'content-type': 'garbage' } })
  expect(garbage.json.message).toBe('The Content-Type must be a media type such as application/json')
})

test('a caller who is removed while their body arrives is refused', async () => {
  const app = await buildHttp(platform.services, allRoutes, { logger: false })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const removed = await platform.newKey({ email: 'removed@lab.example', role: 'admin' })
  const body = JSON.stringify({ name: 'kept', role: 'admin' })
  const socket = connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  const lines = ['POST /admin/v1/keys HTTP/1.1', 'Host: 127.0.0.1', `Authorization: Bearer ${removed}`]
  const head = [...lines, 'Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: 100-continue']
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // Sent when the request has been accepted.
  await expect.poll(() => answer).toContain('100 Continue')
  socket.write(body.slice(0, -1))
  const me = (await platform.request('GET', '/whoami', { key: removed })).json.actor.id
  expect((await platform.request('DELETE', `/admin/v1/members/${me}`)).status).toBe(204)
  socket.write(body.slice(-1))
  await expect.poll(() => answer).toMatch(/HTTP\/1.1 40[13]/)
  socket.destroy()
  await app.close()
})

test('a client that sends twenty megabytes before it reads can still read the error', async () => {
  const app = await buildHttp(platform.services, allRoutes, { logger: false })
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const pushWith = (framing: string) =>
    new Promise<string>((resolve, reject) => {
      let response = ''
      const socket = connect(Number(address.port), '127.0.0.1')
      socket.on('data', (chunk) => (response += String(chunk)))
      socket.on('error', reject)
      socket.on('close', () => resolve(response))
      socket.write(
        `POST /api/v1/experiments HTTP/1.1\r\nhost: ${address.host}\r\nauthorization: Bearer ${platform.admin}\r\n${framing}\r\n\r\n`,
      )
      const chunk = Buffer.alloc(1_000_000, 'x')
      for (let sent = 0; sent < 20; sent += 1) {
        if (framing.startsWith('transfer')) socket.write(`${chunk.length.toString(16)}\r\n`)
        socket.write(chunk)
        if (framing.startsWith('transfer')) socket.write('\r\n')
      }
      if (framing.startsWith('transfer')) socket.write('0\r\n\r\n')
    })
  for (const framing of ['content-length: 20000000', 'transfer-encoding: chunked']) {
    const [head = '', body = ''] = (await pushWith(framing)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
    expect(head.toLowerCase()).toContain('connection: close')
    expect(JSON.parse(body)).toMatchObject({
      error: 'invalid_argument',
      message: `The body must be ${limits.largeBodyBytes.toLocaleString('en')} bytes or less`,
    })
  }
  await app.close()
})

test('a body with very many values is refused before they are read, with the limit of its endpoint', async () => {
  const refusalOf = async (path: string, fields: number) => {
    const body = `{${'"":1,'.repeat(fields)}"name":"x"}`
    const { status, json } = await platform.request('POST', path, {
      headers: { 'content-type': 'application/json' },
      yaml: body,
    })
    return [status, json.error, json.message]
  }
  const refusal = (limit: string) => [400, 'invalid_argument', `The body must ${limit}`]
  const tooMany = (most: string) => refusal(`have ${most} values or fewer, counted at every depth`)
  expect(await refusalOf('/experiments/known/fork', 430_000)).toEqual(refusal('be 32,000 bytes or less'))
  expect(await refusalOf('/experiments/known/fork', 2000)).toEqual(tooMany('1,000'))
  expect(await refusalOf('/experiments/known/runs', 430_000)).toEqual(tooMany('100,000'))
})

test('every timestamp in a response has six fractional digits', async () => {
  await platform.request('POST', '/experiments/known/runs', { body: { mock: true } })
  const { json } = await platform.request('GET', '/runs')
  const paths = ['/experiments', '/experiments/known/versions', '/runs', `/runs/${json.runs[0].runRequestId}`]
  for (const path of [...paths, '/credits/balance', '/credits/spend', '/notifications', '/reports', '/secrets']) {
    const { text } = await platform.request('GET', path)
    for (const [moment] of text.matchAll(/"\d{4}-\d\d-\d\dT[^"]*"/g))
      expect(`${path} ${moment}`).toMatch(/T\d\d:\d\d:\d\d\.\d{6}Z"$/)
  }
})
