import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

import { expect, onTestFinished, test } from 'vitest'

import { workerMemory } from './body-memory.ts'
import { json } from '#platform/program/testing/scripted-provider.ts'
import { ask, finished, message, openTestGateways, question, token } from '#platform/program/testing/test-gateway.ts'

const gateways = await openTestGateways()
gateways.provider.answers((_, response) => json(response, message))

/** Sends a part of a body and keeps the connection open. */
async function startBody(url: string, bytes: number, authorization = token): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  const head = 'POST /anthropic/v1/messages HTTP/1.1\r\nhost: x\r\nconnection: close\r\n'
  socket.write(`${head}x-api-key: ${authorization}\r\ncontent-length: 30000\r\n\r\n${'x'.repeat(bytes)}`)
  return socket
}

const large = question({ system: 'x'.repeat(8000) })

test('unfinished requests of one organization’s runs take no room from the runs of another', async () => {
  const memory = workerMemory({ worker: 40_000, organization: 20_000, run: 20_000 })
  const one = await gateways.open({ memory: memory.ofRun('hostile') })
  const two = await gateways.open({ memory: memory.ofRun('hostile') })
  const other = await gateways.open({ memory: memory.ofRun('other') })
  const sockets = [await startBody(one.url, 9000), await startBody(two.url, 9000)]
  await expect.poll(async () => (await ask(one.url, large)).status).toBe(429)
  for (let count = 0; count < 10; count += 1) expect((await ask(other.url, large)).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await ask(one.url, large)).status).toBe(200)
})

test('a call without room because of other runs can be sent again, and the worker is to blame', async () => {
  const memory = workerMemory({ worker: 15_000 })
  const hostile = await gateways.open({ memory: memory.ofRun('hostile') })
  const other = await gateways.open({ memory: memory.ofRun('other') })
  const socket = await startBody(hostile.url, 14_000)
  const refused = await untilRefused(() => ask(other.url, large))
  expect([refused.headers.get('x-should-retry'), refused.headers.get('retry-after')]).toEqual(['true', '2'])
  expect(other.gateway.outage()).toMatchObject({ blame: 'worker' })
  expect(await finished(other)).toContainEqual(expect.objectContaining({ refused: true, costUsd: null }))
  socket.destroy()
})

test('a run that fills its own room is to blame itself', async () => {
  const { url, gateway } = await gateways.open({ memory: workerMemory({ run: 15_000 }).ofRun('lab') })
  await startBody(url, 14_000)
  await untilRefused(() => ask(url, large))
  expect(gateway.outage()).toBeNull()
})

test('a body that arrives too slowly is refused, and its room is free again', async () => {
  const memory = workerMemory({ worker: 15_000 }).ofRun('lab')
  const pace = { firstMs: 100, bytesPerSecond: 1_000_000, checkMs: 20 }
  const slow = await gateways.open({ memory, bodyPace: pace })
  const answer = await text(await startBody(slow.url, 14_000))
  expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*x-should-retry: true[^]*The request arrived too slowly/)
  expect((await ask(slow.url, large)).status).toBe(200)
  expect(await finished(slow)).toMatchObject([{ refused: true, tokenSource: 'none' }, { status: 200 }])
})

test('a run has a limit of connections, and can use them again', async () => {
  const { url, gateway } = await gateways.open()
  const { port } = new URL(url)
  const sockets: Socket[] = []
  const server = createServer(gateway.onConnection)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const through = (server.address() as AddressInfo).port
  for (const each of [through, Number(port)]) {
    const ended = Promise.withResolvers<void>()
    for (let count = 0; count < 257; count += 1) {
      const socket = connect(each, '127.0.0.1')
      socket.on('error', () => {}).once('close', () => ended.resolve())
      await once(socket, 'connect')
      sockets.push(socket)
    }
    await ended.promise
    for (const socket of sockets.splice(0)) socket.destroy()
    await expect.poll(async () => (await ask(`http://127.0.0.1:${each}`)).status).toBe(200)
  }
})

test('a body without the token of the run is not read', async () => {
  const memory = workerMemory().ofRun('lab')
  let taken = 0
  const counted = { ...memory, take: (bytes: number) => ((taken += bytes), memory.take(bytes)) }
  const { url } = await gateways.open({ memory: counted })
  expect(await text(await startBody(url, 1000, 'assay-run-other'))).toMatch(/^HTTP\/1\.1 401 /)
  expect(taken).toBe(0)
})

/** The first answer 429, when the other request has arrived. */
async function untilRefused(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send()
    if (response.status === 429) return response
    await response.text()
  }
}
