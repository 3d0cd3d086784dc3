import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'
import { writeHeader } from '#contract/session.ts'

const writes = [
  ['POST', '/api/v1/experiments'],
  ['POST', '/session'],
  ['POST', '/session/demo'],
  ['POST', '/session/demo-link'],
  ['DELETE', '/session'],
] as const

const proofs: [string, Record<string, string>][] = [
  ['no app header', { 'sec-fetch-site': 'same-origin' }],
  ['no origin', { [writeHeader]: '1' }],
  ['another site', { [writeHeader]: '1', 'sec-fetch-site': 'cross-site' }],
  ['another subdomain', { [writeHeader]: '1', 'sec-fetch-site': 'same-site' }],
  ['the address bar', { [writeHeader]: '1', 'sec-fetch-site': 'none' }],
  ['a foreign Origin', { [writeHeader]: '1', origin: 'https://evil.example' }],
  ['a foreign Origin that claims same-origin', { [writeHeader]: '1', 'sec-fetch-site': 'same-origin', origin: 'null' }],
]

test.for(proofs)('403 permission_denied for every write with %s', async ([, proof]) => {
  const bff = await startBff()
  const { cookie } = await bff.signIn()

  for (const [method, path] of writes) {
    const response = await bff.request(method, path, { headers: { ...proof, cookie } })
    expect(response.status).toBe(403)
    expect(JSON.parse(response.text)).toMatchObject({ error: 'permission_denied', requestId: expect.any(String) })
  }
  expect(bff.platform.seen).toEqual([])
})

test('a browser without Sec-Fetch-Site proves itself by Origin', async () => {
  const bff = await startBff()
  const { cookie } = await bff.signIn()
  const headers = { [writeHeader]: '1', origin: `http://127.0.0.1:${bff.port}`, cookie }
  expect((await bff.request('POST', '/api/v1/experiments', { headers })).status).toBe(200)
})

test('behind a TLS proxy, writes are accepted from the public origin and rejected from the loopback origin', async () => {
  const bff = await startBff({ PUBLIC_URL: 'https://assay.example' })
  const { cookie } = await bff.signIn()
  const write = (origin: string) =>
    bff.request('POST', '/api/v1/experiments', {
      headers: { [writeHeader]: '1', origin, cookie, host: 'assay.example' },
    })

  expect((await write('https://assay.example')).status).toBe(200)
  expect((await write(`http://127.0.0.1:${bff.port}`)).status).toBe(403)
})
