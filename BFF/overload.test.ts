import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'
import { defaultConnectionLimits } from './browser-connections.ts'

const small = { ...defaultConnectionLimits, platform: { connections: 2, waiting: 3 } }

/** A platform that answers only when the test says so. */
async function startWithSilentPlatform(limits = small, settings: Record<string, string> = {}) {
  const bff = await startBff(settings, limits)
  const headers = await bff.signIn()
  const held: (() => void)[] = []
  bff.platform.answerWith((_request, response) => void held.push(() => response.end('{}')))
  const ask = (count: number) => bff.request('GET', `/api/v1/runs?limit=${count}`, { headers })
  const release = () => held.splice(0).forEach((answer) => answer())
  return { bff, ask, held, release }
}

test('the BFF immediately answers 503 with Retry-After to requests beyond the waiting limit, and the others succeed', async () => {
  const { ask, held, release } = await startWithSilentPlatform()
  const early = [1, 2, 3, 4, 5].map(ask)
  await expect.poll(() => held.length).toBe(2)
  const refused = await ask(6)
  expect([refused.status, JSON.parse(refused.text).error]).toEqual([503, 'unavailable'])
  expect(refused.headers['retry-after']).toBe('1')
  const answers = Promise.all(early)
  const answering = setInterval(release, 5)
  expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  clearInterval(answering)
})

test('the BFF answers 503 to a request that waits too long for a connection while long answers occupy all of them', async () => {
  const { ask, bff } = await startWithSilentPlatform(small, { PLATFORM_TIMEOUT_SECONDS: '0.5' })
  const writing: NodeJS.Timeout[] = []
  const ends: (() => void)[] = []
  bff.platform.answerWith((_request, response) => {
    writing.push(setInterval(() => response.write(' '), 20))
    ends.push(() => response.end('{}'))
  })
  const long = Promise.all([1, 2].map(ask))
  await expect.poll(() => ends.length).toBe(2)
  const late = await ask(3)
  expect([late.status, late.headers['retry-after']]).toEqual([503, '2'])
  for (const timer of writing) clearInterval(timer)
  for (const end of ends) end()
  expect((await long).map(({ status }) => status)).toEqual([200, 200])
  expect(bff.platform.seen).toHaveLength(2)
})

test('visitors who read answers without end hold up nobody who is signed in, and their answers end', async () => {
  const visitors = { connections: 2, waiting: 3, answerMs: 1000 }
  const limits = { ...small, platform: { ...small.platform, visitors } }
  const { ask, bff } = await startWithSilentPlatform(limits)
  let [started, ended] = [0, 0]
  bff.platform.answerWith((request, response) => {
    if (!request.url?.includes('/images/')) return void response.end('{}')
    started += 1
    const writing = setInterval(() => response.write(' '), 20)
    response.once('close', () => {
      ended += 1
      clearInterval(writing)
    })
  })
  const path = `/embed/reports/${'a'.repeat(43)}/images/0`
  const views = [1, 2].map(() => bff.request('GET', path).catch((error: Error) => error))
  await expect.poll(() => started).toBe(2)
  expect((await ask(1)).status).toBe(200)
  await Promise.all(views)
  await expect.poll(() => [started, ended]).toEqual([2, 2])
})

test('the body of a request without a session is not read', async () => {
  const bff = await startBff()
  const socket = connect(bff.port, '127.0.0.1')
  await once(socket, 'connect')
  const headers = { host: 'localhost', ...bff.pageHeaders, 'content-length': '1000000', connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(['POST /api/v1/experiments HTTP/1.1', ...lines, '', '{'].join('\r\n'))
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 [^]*"error":"unauthenticated"/)
})
