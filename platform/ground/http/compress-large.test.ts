import { gunzipSync } from 'node:zlib'
import etag from '@fastify/etag'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { compressLarge } from './compress-large.ts'

const large = JSON.stringify({ text: 'cell 日本 '.repeat(20_000) })
const app = Fastify()
await app.register(etag, { weak: true })
compressLarge(app)
app.get('/large', async (_, reply) => reply.type('application/json').send(large))
app.get('/small', async () => ({ text: 'cell' }))
afterAll(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

test.each(['gzip', 'br, gzip', 'gzip, deflate, br', 'gzip;q=0.5', 'identity, *', 'GZIP;q=1.0'])(
  'a large answer is compressed for a client that accepts %s',
  async (encoding) => {
    const { headers, rawPayload } = await get('/large', { 'accept-encoding': encoding })
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(rawPayload.length).toBeLessThan(large.length / 20)
    expect(Number(headers['content-length'] ?? rawPayload.length)).toBe(rawPayload.length)
    expect(gunzipSync(rawPayload).toString()).toBe(large)
  },
)

test.each(['', 'br', 'identity', 'gzip;q=0', 'gzip;q=0.0, br', 'x-gzip-not'])(
  'a large answer is not compressed for a client that accepts %j',
  async (encoding) => {
    const { headers, body } = await get('/large', { 'accept-encoding': encoding })
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers).toMatchObject({ vary: 'accept-encoding' })
    expect(body).toBe(large)
  },
)

test('a long header without a known encoding is read quickly', async () => {
  await expectLinear(async (blanks) => {
    const encoding = `gzip${' '.repeat(blanks)}x`
    for (let count = 0; count < 20; count += 1) await get('/large', { 'accept-encoding': encoding })
  }, 15_000)
})

test('a small answer is not compressed', async () => {
  const { headers, body } = await get('/small', { 'accept-encoding': 'gzip' })
  expect([headers['content-encoding'], body]).toEqual([undefined, '{"text":"cell"}'])
})

test('the entity tag is of the uncompressed text, and a known answer is still 304', async () => {
  const { headers } = await get('/large')
  const tag = String(headers.etag)
  expect((await get('/large', { 'accept-encoding': 'gzip' })).headers.etag).toBe(tag)
  const known = await get('/large', { 'accept-encoding': 'gzip', 'if-none-match': tag })
  expect([known.statusCode, known.body, known.headers['content-encoding']]).toEqual([304, '', undefined])
})
