import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'

const limits = { requestMs: 400, headersMs: 200, checkMs: 50, silenceMs: 60_000, connections: 2, keylessBodyMs: 300 }

async function open(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

test('408 in the error envelope for a body that does not arrive in time, and the platform is not called', async () => {
  const bff = await startBff({}, limits)
  const headers = await bff.signIn()
  const socket = await open(bff.port)
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': '20' }).map(([k, v]) => `${k}: ${v}`)
  socket.write(['PUT /api/v1/secrets/x HTTP/1.1', ...lines, '', '{'].join('\r\n'))
  const response = await text(socket)
  expect(response).toMatch(/^HTTP\/1\.1 408 [^]*"error":"invalid_argument"/)
  expect(bff.platform.seen).toEqual([])
})

test('408 for the body of a sign-in that does not arrive in time, long before the limit for other requests', async () => {
  const bff = await startBff({}, { ...limits, requestMs: 600_000 })
  const socket = await open(bff.port)
  const headers = { host: 'localhost', ...bff.pageHeaders, 'content-length': '20' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(['POST /session HTTP/1.1', ...lines, '', '{'].join('\r\n'))
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 [^]*"error":"invalid_argument"/)
})

test('408 for headers that do not arrive in time', async () => {
  const bff = await startBff({}, limits)
  const socket = await open(bff.port)
  socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: ')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
})

test('connections over the limit are closed at once, and accepted again after others end', async () => {
  const bff = await startBff({}, limits)
  const held = [await open(bff.port), await open(bff.port)]
  expect(await text(await open(bff.port))).toBe('')
  for (const socket of held) socket.destroy()
  await expect.poll(() => bff.request('GET', '/healthz').catch(() => null)).toMatchObject({ status: 200 })
})

test('the connection of a client that neither sends nor reads is closed', async () => {
  const bff = await startBff({}, { ...limits, requestMs: 60_000, headersMs: 60_000, silenceMs: 200 })
  const socket = await open(bff.port)
  expect(await text(socket)).toBe('')
})
