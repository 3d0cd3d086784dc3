import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterAll, describe, expect, test } from 'vitest'

import { allRoutes } from './all-routes.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { buildHttp } from './build-http.ts'

const limits = {
  requestMs: 400,
  headersMs: 200,
  checkMs: 50,
  connections: 3,
  requests: 100,
  keylessRequests: 2,
  keylessBodyMs: 300,
}

const platform = await openTestPlatform()
const app = await buildHttp(platform.services, allRoutes, {
  logger: false,
  limits,
  hosts: ['api.lab.example', 'box:8080'],
})
await app.listen({ host: '127.0.0.1', port: 0 })
const port = (app.server.address() as AddressInfo).port
afterAll(async () => {
  await app.close()
  await platform.close()
})

async function open() {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const send = (socket: Socket, ...lines: string[]) => socket.write(lines.join('\r\n'))

test('408 in the error envelope for a body that does not arrive in time, and the connection is closed', async () => {
  const socket = await open()
  const authorization = `authorization: Bearer ${platform.admin}`
  const type = 'content-type: application/json'
  send(socket, 'PUT /api/v1/secrets/x HTTP/1.1', 'host: localhost', authorization, type, 'content-length: 20', '', '{')
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: 'invalid_argument' })
})

test('408 for headers that do not arrive in time', async () => {
  const socket = await open()
  send(socket, 'GET /healthz HTTP/1.1', 'host: localhost', 'x-slow: ')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
})

test('400 in the error envelope for a request that is not HTTP', async () => {
  const socket = await open()
  send(socket, 'hello', '', '')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [^]*"error":"invalid_argument"/)
})

test('connections over the limit are closed at once, and accepted again after others end', async () => {
  const held = [await open(), await open(), await open()]
  expect(await text(await open())).toBe('')
  for (const socket of held) socket.destroy()
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.status).toBe(200)
})

describe('the Host header', () => {
  const statusOf = (path: string, host: string) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const headers = { host, authorization: `Bearer ${platform.admin}` }
      const sending = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
        void text(response).then((body) => resolve({ status: response.statusCode, body }))
      })
      sending.on('error', reject).end()
    })

  test.for(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:4401', 'evil.example:80', 'box:1'])(
    '403 permission_denied for every request to the host %j',
    async (host) => {
      for (const path of ['/api/v1/whoami', '/api/v1/openapi.json', '/healthz', '/embed/insights/x', '/nowhere']) {
        const { status, body } = await statusOf(path, host)
        expect([path, status, JSON.parse(body).error]).toEqual([path, 403, 'permission_denied'])
      }
    },
  )

  test.for(['127.0.0.1:4401', 'localhost', 'LOCALHOST:80', '[::1]:4401', 'API.lab.example:443', 'box:8080'])(
    'the host %s is served',
    async (host) => {
      expect((await statusOf('/api/v1/whoami', host)).status).toBe(200)
    },
  )
})
