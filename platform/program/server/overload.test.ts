import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { expect, onTestFinished, test } from 'vitest'

import { defaultConnectionLimits } from '#platform/ground/http/connection-limits.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { allRoutes } from './all-routes.ts'
import { buildHttp } from './build-http.ts'

test('the API immediately answers 503 with Retry-After to requests beyond its limit, always answers health checks, and recovers', async () => {
  const platform = await openTestPlatform()
  const limits = { ...defaultConnectionLimits, requests: 1 }
  const app = await buildHttp(platform.services, allRoutes, { logger: false, limits })
  onTestFinished(async () => {
    await app.close()
    await platform.close()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${platform.admin}` } })

  const slow = connect(port, '127.0.0.1')
  await once(slow, 'connect')
  const headers = ['host: localhost', `authorization: Bearer ${platform.admin}`, 'content-type: application/json']
  const started = once(app.server, 'request')
  const lines = [
    'PUT /api/v1/secrets/x HTTP/1.1',
    ...headers,
    'content-length: 13',
    'connection: close',
    '',
    '{"value":',
  ]
  slow.write(lines.join('\r\n'))
  await started

  const refused = await ask('/api/v1/whoami')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({ error: 'unavailable', requestId: expect.any(String) })
  expect((await ask('/healthz')).status).toBe(200)

  slow.write('"v"}')
  expect(await text(slow)).toMatch(/^HTTP\/1\.1 200 /)
  expect((await ask('/api/v1/whoami')).status).toBe(200)
})
