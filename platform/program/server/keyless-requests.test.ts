import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterAll, expect, test } from 'vitest'

import { checkoutPath, webhookPath } from '#contract/credits.ts'
import { unsubscribePath } from '#contract/mail.ts'
import { defaultConnectionLimits } from '#platform/ground/http/connection-limits.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { allRoutes } from './all-routes.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { buildHttp } from './build-http.ts'
import { addOperatorChannel } from './operator-channel.ts'

const limits = { ...defaultConnectionLimits, requests: 6, keylessRequests: 2, keylessBodyMs: 60_000 }

const apps: Awaited<ReturnType<typeof buildHttp>>[] = []
const platform = await openTestPlatform()
await createOrganization(platform.services, { slug: 'other' })
const other = await platform.newKey({ organizations: ['other'] })
afterAll(async () => {
  for (const app of apps) await app.close()
  await platform.close()
})

async function serveWith(changed: Partial<typeof limits> = {}) {
  const app = await buildHttp(platform.services, allRoutes, { logger: false, limits: { ...limits, ...changed } })
  apps.push(app)
  addOperatorChannel(app, platform.services, 'operator-token')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const statusOf = async (path: string, key = platform.admin) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${key}` } })).status

  /** Sends all of a request but the last byte of its body. The answer, if any, is the connection's text. */
  async function startBody(method: string, path: string, { key = '', length = 20 } = {}): Promise<Socket> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    const authorization = key && `authorization: Bearer ${key}\r\n`
    const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${authorization}`
    socket.write(`${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n{`)
    return socket
  }
  return { app, statusOf, startBody }
}

const invite = async () => {
  const body = { email: `person${Math.random()}@lab.example`, role: 'member' }
  const { json } = await platform.request('POST', '/admin/v1/invitations', { body })
  return String(json.link).split('#')[1] ?? ''
}

test('bodies that never end, on every route without a key, leave the requests of members alone', async () => {
  const { app, statusOf, startBody } = await serveWith()
  const token = await invite()
  const strange = [
    () => startBody('POST', '/admin/v1/invitation/join', { key: token }),
    () => startBody('POST', webhookPath),
    () => startBody('POST', unsubscribePath('x')),
    () => startBody('POST', `${checkoutPath}x`),
  ]
  let received = 0
  app.server.on('request', () => (received += 1))
  const sockets = await Promise.all(strange.flatMap((start) => [start(), start(), start(), start()]))
  await expect.poll(() => received).toBe(sockets.length)
  expect(await statusOf('/api/v1/whoami')).toBe(200)
  expect(await statusOf('/admin/v1/invitations')).toBe(200)
  // Each route has two slots.
  const answers = await Promise.all(sockets.slice(4, 8).map((socket) => Promise.race([text(socket), wait('waits')])))
  expect(answers.filter((answer) => answer === 'waits')).toHaveLength(2)
  expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 503 '))).toHaveLength(2)
  for (const socket of sockets) socket.destroy()
})

const wait = (answer: string) => new Promise<string>((resolve) => setTimeout(resolve, 500, answer))

test.each([
  ['a join without a usable token', 404, 'POST', '/admin/v1/invitation/join', 'invite_unknown'],
  ['a change with an unknown key', 401, 'PUT', '/api/v1/secrets/x', 'unknown'],
  ['a command without the token of the operator', 401, 'POST', '/operator/commands', 'unknown'],
])('%s is refused while its body is still on the way', async (_, status, method, path, key) => {
  const { startBody } = await serveWith()
  expect(await text(await startBody(method, path, { key }))).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test('408 for a body without a key that does not arrive in time, and its slot is free again', async () => {
  const { startBody } = await serveWith({ keylessRequests: 1, keylessBodyMs: 200 })
  for (const _ of [1, 2]) {
    const answer = await text(await startBody('POST', webhookPath))
    expect(answer).toMatch(
      /^HTTP\/1\.1 408 [^]*"error":"invalid_argument","message":"The request did not arrive in time/,
    )
  }
})

test('400 for a body without a key of more than a few kilobytes, before it arrives', async () => {
  const { startBody } = await serveWith()
  for (const [path, length, key] of [
    ['/admin/v1/invitation/join', 8193, await invite()],
    [webhookPath, 65_537, ''],
    [unsubscribePath('x'), 8193, ''],
  ] as const) {
    const socket = await startBody('POST', path, { key, length })
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    expect([path, answer.toString()]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 400 /)])
  }
})

test('a flood of refused requests writes a few lines to the log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-flood-'))
  const file = join(folder, 'log')
  const logger = { level: 'warn', file }
  const app = await buildHttp(platform.services, allRoutes, { logger, limits: { ...limits, keylessRequests: 0 } })
  apps.push(app)
  for (let sent = 0; sent < 300; sent += 1)
    expect((await app.inject({ method: 'POST', url: webhookPath, payload: '{}' })).statusCode).toBe(503)
  const lines = async () => (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '').length
  await expect.poll(lines).toBeGreaterThan(0)
  expect(await lines()).toBeLessThanOrEqual(60)
  await rm(folder, { recursive: true })
})

test('one organization can occupy half of the slots, and another organization is served', async () => {
  const { app, statusOf, startBody } = await serveWith()
  let received = 0
  app.server.on('request', () => (received += 1))
  const held = await Promise.all([1, 2, 3].map(() => startBody('PUT', '/api/v1/secrets/x', { key: platform.admin })))
  await expect.poll(() => received).toBe(3)
  await expect.poll(() => statusOf('/api/v1/secrets')).toBe(429)
  expect(await statusOf('/api/v1/secrets', other)).toBe(200)
  for (const socket of held) socket.destroy()
  await expect.poll(() => statusOf('/api/v1/secrets')).toBe(200)
})
