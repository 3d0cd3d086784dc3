import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'

const page = { accept: 'text/html' }
const policyOf = (headers: Record<string, unknown>) => String(headers['content-security-policy'])

test('the page runs only scripts and styles with the nonce of the same response', async () => {
  const bff = await startBff()
  const [first, second] = [
    await bff.request('GET', '/', { headers: page }),
    await bff.request('GET', '/', { headers: page }),
  ]
  const nonce = /'nonce-([^']+)'/.exec(policyOf(first.headers))?.[1] ?? 'none'

  expect(first.text).toBe(`<script nonce="${nonce}"></script><link nonce="${nonce}">`)
  expect(policyOf(first.headers)).toContain(`script-src 'self' 'nonce-${nonce}'`)
  expect(policyOf(second.headers)).not.toContain(nonce)
})

test.for([
  '/',
  '/runs/x',
  '/assets/app-1a2b.js',
  '/assets/none.js',
  '/icon.svg',
  '/session',
  '/healthz',
  '/api/v1/whoami',
])('%s allows no unsafe source, no framing and no sniffing', async (path) => {
  const bff = await startBff()
  const { headers } = await bff.request('GET', path, { headers: page })
  expect(policyOf(headers)).toContain("default-src 'none'")
  expect(policyOf(headers)).toContain("frame-ancestors 'none'")
  expect(policyOf(headers)).not.toMatch(/unsafe|https?:|\*/)
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
  })
  expect(headers['strict-transport-security']).toBeUndefined()
})

test('Strict-Transport-Security is sent where the public address is https', async () => {
  const bff = await startBff({ PUBLIC_URL: 'https://assay.example' })
  const { headers } = await bff.request('GET', '/')
  expect(headers['strict-transport-security']).toContain('max-age=')
})
