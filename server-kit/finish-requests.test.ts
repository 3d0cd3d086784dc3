import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { expect, onTestFinished, test } from 'vitest'

import { finishRequests } from './finish-requests.ts'

/** A server that answers only when the test says so. */
async function start() {
  const held: ServerResponse[] = []
  const server = createServer((_request, response) => void held.push(response))
  const finish = finishRequests(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => {
    agent.destroy()
    server.close()
    server.closeAllConnections()
  })
  const ask = async () => {
    const sent = request({ port, host: '127.0.0.1', agent }).end()
    const received = once(sent, 'response')
    await expect.poll(() => held.length).toBeGreaterThan(0)
    return async () => {
      const [response] = (await received) as [IncomingMessage]
      return { body: await text(response), connection: response.headers.connection }
    }
  }
  return { server, finish, held, ask, port }
}

test('a stopping server finishes the request in progress, ends its connection and takes no new one', async () => {
  const { finish, held, ask, port } = await start()
  const answered = await ask()
  let isFinished = false
  const finished = finish(60_000).then(() => (isFinished = true))
  const late = connect(port, '127.0.0.1')
  const [error] = await once(late, 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  expect(isFinished).toBe(false)
  held[0]?.end('done')
  expect(await answered()).toEqual({ body: 'done', connection: 'close' })
  await finished
})

test('a request that hangs delays the stop no longer than the limit', async () => {
  const { finish, ask } = await start()
  void (await ask())().catch(() => {})
  await finish(50)
})

test('a server without requests stops at once, and its idle connections end', async () => {
  const { finish, held, ask, port } = await start()
  const answered = await ask()
  held[0]?.end('done')
  expect(await answered()).toEqual({ body: 'done', connection: 'keep-alive' })
  const idle = connect(port, '127.0.0.1')
  await once(idle, 'connect')
  await finish(60_000)
})
