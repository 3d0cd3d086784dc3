import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'

const page = { accept: 'text/html,*/*' }

test('hashed assets are cached for a year and are compressed', async () => {
  const bff = await startBff()
  const response = await bff.request('GET', '/assets/app-1a2b.js', { headers: { 'accept-encoding': 'gzip, br' } })
  expect(response.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-type': expect.stringContaining('javascript'),
    vary: expect.stringMatching(/accept-encoding/i),
  })
  expect((await bff.request('GET', '/assets/app-1a2b.js')).text).toBe('console.log("app")')
})

test('files without a hash are revalidated', async () => {
  const bff = await startBff()
  const { headers } = await bff.request('GET', '/icon.svg')
  expect(headers['cache-control']).toBe('no-cache')
  const again = await bff.request('GET', '/icon.svg', { headers: { 'if-none-match': String(headers.etag) } })
  expect(again.status).toBe(304)
})

test.for(['/', '/index.html', '/experiments/parse-roman', '/runs/a~b%3A%3Ahash?tab=tests', '/sessions', '/a/b.c'])(
  'a visit to %s returns the page, never from a cache',
  async (path) => {
    const bff = await startBff()
    const response = await bff.request('GET', path, { headers: page })
    expect(response.status).toBe(200)
    expect(response.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(response.text).not.toContain('__CSP_NONCE__')
  },
)

test.for([
  '/assets/none-1a2b.js',
  '/assets/',
  '/assets/../.built-from',
  '/.built-from',
  '/%2e%2e/demo-keys.json',
  '//x',
  '/embed.html',
  '/embed/insights',
  '/embed/other',
])('404 for %s', async (path) => {
  const bff = await startBff()
  const response = await bff.request('GET', path)
  expect([response.status, JSON.parse(response.text).error]).toEqual([404, 'not_found'])
})

test.for(['/', '/experiments/parse-roman', '/icon.svg', '/healthz'])(
  'HEAD of %s has the status and the headers of GET, and no body',
  async (path) => {
    const bff = await startBff()
    const [head, get] = [
      await bff.request('HEAD', path, { headers: page }),
      await bff.request('GET', path, { headers: page }),
    ]
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length', 'cache-control'])
      expect(head.headers[name], name).toBe(get.headers[name])
  },
)

test('503 with the fix if the app is not built', async () => {
  const bff = await startBff()
  await rm(join(bff.folder, 'dist/index.html'))
  const response = await bff.request('GET', '/', { headers: page })
  expect([response.status, JSON.parse(response.text).message]).toEqual([503, expect.stringContaining('npm run build')])
})

test('/healthz is ok while the platform is down, and reports that', async () => {
  const bff = await startBff()
  expect(JSON.parse((await bff.request('GET', '/healthz')).text)).toEqual({ status: 'ok', platform: 'ok' })
  await bff.platform.stop()
  const health = async () => {
    const response = await bff.request('GET', '/healthz')
    return [response.status, JSON.parse(response.text)]
  }
  await expect.poll(health).toEqual([200, { status: 'ok', platform: 'unavailable' }])
})
