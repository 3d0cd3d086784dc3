import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { parseEgressExceptions } from '#platform/ground/egress/egress-settings.ts'
import { webhookClient } from './webhook-client.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

let handler: Handler = (_, response) => void response.end('ok')
let port = 0
let hits = 0
const server = createServer((request, response) => {
  hits += 1
  handler(request, response)
})
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const strict = (addresses: string[] = []) =>
  webhookClient({ exceptions: parseEgressExceptions(''), proxy: null, resolve: async () => addresses })

const open = () => webhookClient({ exceptions: parseEgressExceptions(`127.0.0.1:${port}`), proxy: null })

const message = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}' })

test.for([
  ['http://hooks.example/x', 'must start with https://'],
  ['ftp://hooks.example/x', 'must be an https address'],
  ['javascript:alert(1)', 'must be an https address'],
  ['hooks.example', 'must be an https address'],
  ['https://user@hooks.example/x', 'must not contain a user name'],
  ['https://:pass@hooks.example/x', 'must not contain a user name'],
  ['https://hooks.example:22/x', 'must use port 443'],
  ['https://hooks.example:25/x', 'must use port 443'],
  ['https://127.0.0.1/x', 'a loopback address'],
  ['https://127.1/x', 'a loopback address'],
  ['https://2130706433/x', 'a loopback address'],
  ['https://0x7f.0.0.1/x', 'a loopback address'],
  ['https://10.0.0.5/x', 'a private address'],
  ['https://192.168.1.1:8443/x', 'a private address'],
  ['https://169.254.169.254/latest', 'a link-local address'],
  ['https://100.64.0.1/x', 'a carrier-grade NAT address'],
  ['https://0.0.0.0/x', 'the unspecified address'],
  ['https://[::1]/x', 'a loopback address'],
  ['https://[fd00::1]/x', 'a private address'],
  ['https://[fe80::1]/x', 'a link-local address'],
  ['https://[::ffff:10.0.0.1]/x', 'an IPv4 address written as IPv6'],
  ['https://[64:ff9b::a00:1]/x', 'an IPv4 address written as IPv6'],
  ['https://localhost/x', 'must lead to a public address'],
  ['https://a.localhost./x', 'must lead to a public address'],
] as const)('%s is refused: %s', async ([url, fault]) => {
  const client = strict()
  const before = hits
  expect(client.faultOf(url)).toMatch(url.includes('169.254') ? /metadata|link-local/ : fault)
  expect((await client.post(message(url))).status).toBeNull()
  expect(hits).toBe(before)
})

test.for([['10.0.0.1'], ['127.0.0.1'], ['169.254.169.254'], ['::1'], ['::ffff:127.0.0.1'], ['fd12::1']])(
  'a name that resolves to %s is not dialed',
  async ([address = '']) => {
    const before = hits
    const answer = await strict([address]).post(message(`https://rebind.example:${port}/x`))
    expect(answer).toMatchObject({ status: null, response: '' })
    expect(answer.fault).toMatch(/^Not sent: The host name resolves to/)
    expect(hits).toBe(before)
  },
)

test('a name is resolved once for a request, so that a second answer cannot lead elsewhere', async () => {
  let asked = 0
  const client = webhookClient({
    exceptions: parseEgressExceptions('127.0.0.0/8'),
    proxy: null,
    resolve: async () => [(asked += 1) === 1 ? '127.0.0.2' : '127.0.0.1'],
  })
  // Nothing listens at the first address. The second one, where our server is, is never asked for.
  const answer = await client.post(message(`https://rebind.example:${port}/x`))
  expect([asked, answer.status, hits]).toEqual([1, null, hits])
})

test('only the operator’s own hosts may be reached without TLS, and only at their port', async () => {
  const client = open()
  expect(client.faultOf(`http://127.0.0.1:${port}/x`)).toBeNull()
  expect(client.faultOf(`http://127.0.0.1:${port + 1}/x`)).toMatch(/https/)
  expect(client.faultOf('http://localhost/x')).toMatch(/https/)
  expect(await client.post(message(`http://127.0.0.1:${port}/x`))).toMatchObject({
    status: 200,
    fault: null,
    response: 'ok',
  })
})

test('a redirect is a failure, and is not followed', async () => {
  handler = ({ url }, response) => {
    if (url === '/target') return void response.end('reached')
    response.writeHead(302, { location: '/target' }).end()
  }
  const before = hits
  const answer = await open().post(message(`http://127.0.0.1:${port}/start`))
  expect(answer).toMatchObject({ status: 302, fault: 'It answered 302: redirects are not followed' })
  expect(hits).toBe(before + 1)
})

test('only the start of an endless answer is read, without control characters and the path of the URL', async () => {
  const closed = new Promise<void>((done) => {
    handler = (request, response) => {
      response.write(`\u0000${request.url}\u001b[31m`)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more).on('close', done)
      more()
    }
  })
  const answer = await open().post(message(`http://127.0.0.1:${port}/services/T0/B0/secret-token`))
  await closed
  expect(answer.status).toBe(200)
  expect(answer.response.startsWith(' /… [31mxxx')).toBe(true)
  expect(answer.response).toHaveLength(1000)
})

test('an answer that repeats the path in JSON, or without its query, shows none of it', async () => {
  const path = '/hooks/catch/12/secret-token'
  handler = (request, response) =>
    void response.end(
      `${JSON.stringify({ path: request.url }).replaceAll('/', '\\/')} ${request.url?.replace('?key=1', '')} 😀`,
    )
  const { response } = await open().post(message(`http://127.0.0.1:${port}${path}?key=1`))
  expect(response).toBe('{"path":"/…"} /… 😀')
})

test('a broken connection is a failure without a status', async () => {
  handler = (request) => void request.socket.destroy()
  const answer = await open().post(message(`http://127.0.0.1:${port}/x`))
  expect(answer).toMatchObject({ status: null, response: '' })
  expect(answer.fault).toMatch(/^It could not be reached \(/)
})

test('the wait that a receiver asks for is read', async () => {
  handler = (_, response) => void response.writeHead(429, { 'retry-after': '120' }).end()
  expect(await open().post(message(`http://127.0.0.1:${port}/x`))).toMatchObject({
    status: 429,
    retryAfterSeconds: 120,
  })
})
