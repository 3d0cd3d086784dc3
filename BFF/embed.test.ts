import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'
import { noSuchPublication } from '#contract/publications.ts'
import { noSuchPublishedReport } from '#contract/report-publications.ts'

const token = 'Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm8'
const page = `/embed/insights/${token}`
const data = `${page}/data`
const html = { accept: 'text/html' }

type Bff = Awaited<ReturnType<typeof startBff>>

/** A platform with one publication. Every other token gets the same refusal. */
function publish(bff: Bff) {
  bff.platform.answerWith((request, response) => {
    const isThere = request.url === page
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/json', 'set-cookie': 'platform=1' })
    response.end(isThere ? '{"heading":"Pass rates"}' : JSON.stringify(noSuchPublication))
  })
}

test('any site can frame the embed page, which runs only scripts with its nonce; no site can frame other pages', async () => {
  const bff = await startBff()
  publish(bff)
  const { status, headers, text } = await bff.request('GET', page, { headers: html })
  const policy = String(headers['content-security-policy'])
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none'
  expect(status).toBe(200)
  expect(text).toBe(`<script nonce="${nonce}"></script>`)
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain('frame-ancestors *')
  expect(policy).not.toMatch(/unsafe|https?:/)
  expect(headers['x-frame-options']).toBeUndefined()
  const others = ['/', data, '/assets/app-1a2b.js', '/embed/insights', '/healthz']
  for (const path of others) {
    const other = await bff.request('GET', path, { headers: html })
    expect(String(other.headers['content-security-policy'])).toContain("frame-ancestors 'none'")
    expect(other.headers['x-frame-options']).toBe('DENY')
  }
})

test('published pages and data are never cached or indexed', async () => {
  const bff = await startBff()
  publish(bff)
  for (const path of [page, data, `${page}x`, `${page}x/data`]) {
    const { headers } = await bff.request('GET', path)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
  }
})

test('the embed routes neither read nor set cookies, and forward no key', async () => {
  const bff = await startBff()
  publish(bff)
  const signedIn = await bff.signIn()
  for (const path of [page, data]) {
    const { status, headers } = await bff.request('GET', path, { headers: signedIn })
    expect([status, headers['set-cookie']]).toEqual([200, undefined])
  }
  expect(bff.platform.seen.map(({ method, url }) => [method, url])).toEqual([
    ['HEAD', page],
    ['GET', page],
  ])
  for (const { headers } of bff.platform.seen) {
    expect(headers).not.toHaveProperty('cookie')
    expect(headers).not.toHaveProperty('authorization')
  }
})

test('unknown, deleted and malformed tokens get the same 404, byte for byte', async () => {
  const bff = await startBff()
  publish(bff)
  const tokens = [
    token.replace('Z', 'A'),
    'x',
    `${token}x`,
    `${token}/x`,
    '%2e%2e',
    '..%2f..%2fapi',
    '%',
    '%zz',
    'x'.repeat(5000),
    '',
  ]
  const answers = await Promise.all(
    tokens.map(async (wrong) => {
      const { status, text } = await bff.request('GET', `/embed/insights/${wrong}/data`)
      return { status, text }
    }),
  )
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([JSON.stringify(noSuchPublication)]))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
  expect(bff.platform.seen.map(({ url }) => url)).toEqual([`/embed/insights/${tokens[0]}`])
})

test('the embed page of a token without a publication is a 404 with the same page', async () => {
  const bff = await startBff()
  publish(bff)
  const looks = async (wrong: string) => {
    const { status, text } = await bff.request('GET', `/embed/insights/${wrong}`, { headers: html })
    return [status, text.replace(/nonce="[^"]+"/, '')]
  }
  expect(await looks(token.replace('Z', 'A'))).toEqual([404, '<script ></script>'])
  expect(await looks('x')).toEqual([404, '<script ></script>'])
})

test('the embed page loads while the platform is down, and its data say why it is empty', async () => {
  const bff = await startBff()
  await bff.platform.stop()
  const shown = await bff.request('GET', page, { headers: html })
  expect([shown.status, shown.text]).toEqual([503, expect.stringContaining('<script')])
  const answer = await bff.request('GET', data)
  expect([answer.status, JSON.parse(answer.text).error]).toEqual([503, 'unavailable'])
})

test('no publication token is logged', async () => {
  const bff = await startBff()
  publish(bff)
  await bff.request('GET', data)
  await bff.platform.stop()
  await bff.request('GET', data)
  expect(bff.readLog()).toContain('platform request failed')
  expect(bff.readLog()).not.toContain(token)
})

test('an address with too many requests has to wait, and the response says how long', async () => {
  const bff = await startBff()
  publish(bff)
  for (let asked = 0; asked < 600; asked += 50) {
    await Promise.all(Array.from({ length: 50 }, () => bff.request('GET', '/embed/insights/x/data')))
  }
  const { status, headers, text } = await bff.request('GET', data)
  expect([status, JSON.parse(text).error]).toEqual([429, 'resource_exhausted'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect((await bff.request('GET', '/healthz')).status).toBe(200)
})

const reportPage = `/embed/reports/${token}`

function publishReport(bff: Bff) {
  bff.platform.answerWith((request, response) => {
    const isThere = request.url === reportPage || request.url === `${reportPage}/images/0`
    const type = request.url?.endsWith('/0') ? 'image/png' : 'application/json'
    response.writeHead(isThere ? 200 : 404, { 'content-type': type, 'cache-control': 'public, max-age=9999' })
    response.end(isThere ? '{}' : JSON.stringify(noSuchPublishedReport))
  })
}

test('a published report is a page, its data and its images, none of which are cached or read cookies', async () => {
  const bff = await startBff()
  publishReport(bff)
  const signedIn = await bff.signIn()
  for (const path of [reportPage, `${reportPage}/data`, `${reportPage}/images/0`]) {
    const { status, headers } = await bff.request('GET', path, { headers: signedIn })
    expect([path, status, headers['set-cookie']]).toEqual([path, 200, undefined])
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
  }
  const image = await bff.request('GET', `${reportPage}/images/0`)
  expect(image.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
  expect(String(image.headers['content-security-policy'])).toContain("default-src 'none'")
  for (const { headers } of bff.platform.seen) expect(headers).not.toHaveProperty('authorization')
})

test('wrong tokens and files of published reports get the same 404, and paths outside never reach the platform', async () => {
  const bff = await startBff()
  publishReport(bff)
  const wrong = ['x/data', `${token}x/data`, 'x/images/0', `${token}/images/1`, '..%2f..%2fapi/data', '%zz']
  for (const path of wrong) {
    const { status, text } = await bff.request('GET', `/embed/reports/${path}`)
    expect([path, status, text]).toEqual([path, 404, JSON.stringify(noSuchPublishedReport)])
  }
  expect(bff.platform.seen.map(({ url }) => url)).toEqual([`${reportPage}/images/1`])
  // An insight has no images.
  const { status } = await bff.request('GET', `${page}/images/0`)
  expect([status, bff.platform.seen.length]).toEqual([404, 1])
})
