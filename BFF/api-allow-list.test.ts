import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'
import { allEndpoints } from '#contract/all-endpoints.ts'

test('every endpoint of the contract that takes a key reaches the platform', async () => {
  const bff = await startBff()
  const headers = await bff.signIn()

  const asked = allEndpoints
    .filter(({ credential }) => credential === 'key')
    .map(({ method, base, path }) => [method, base + path.replace(/:\w+/g, 'x')] as const)
  for (const [method, path] of asked) {
    const response = await bff.request(method, path, { headers })
    expect([method, path, response.status]).toEqual([method, path, 200])
  }
  expect(bff.platform.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(
    asked.map(([method, path]) => `${method} ${path}`),
  )
})

test.for([
  ['GET', '/api/v1/openapi.json'],
  ['GET', '/api/v1/nothing'],
  ['GET', '/api/v1'],
  ['GET', '/api/v2/runs'],
  ['GET', '/admin'],
  ['GET', '/admin/v1/runs'],
  ['GET', '/admin/v1/invitation'],
  ['GET', '/admin/v1/../../api/v1/whoami'],
  ['GET', '/api/v1/runs/'],
  ['GET', '/api/v1//runs'],
  ['GET', '//api/v1/runs'],
  ['GET', '/api/v1/../v1/runs'],
  ['GET', '/api/v1/runs/..'],
  ['GET', '/api/v1/runs/%2e%2e'],
  ['GET', '/api/v1/runs/.%2E/tests'],
  ['GET', '/api/v1/runs/x/../../whoami'],
  ['GET', '/api/v1/runs/x%2Ftests%2Fy/more'],
  ['GET', '/API/v1/runs'],
])('404 not_found for %s %s, and nothing is forwarded', async ([method = '', path = '']) => {
  const bff = await startBff()
  const response = await bff.request(method, path, { headers: await bff.signIn() })

  expect(response.status).toBe(404)
  expect(JSON.parse(response.text)).toEqual({
    error: 'not_found',
    message: 'No such route',
    requestId: expect.any(String),
  })
  expect(bff.platform.seen).toEqual([])
})

test.for([
  ['DELETE', '/api/v1/runs/x', 'GET, HEAD'],
  ['PUT', '/api/v1/experiments', 'GET, HEAD, POST'],
  ['GET', '/api/v1/runs/x/cancel', 'POST'],
  ['POST', '/healthz', 'GET, HEAD'],
  ['PATCH', '/session', 'DELETE, GET, POST'],
])('405 with an Allow header for %s %s, and nothing is forwarded', async ([method = '', path = '', allow]) => {
  const bff = await startBff()
  const response = await bff.request(method, path, { headers: await bff.signIn() })

  expect([response.status, response.headers['allow']]).toEqual([405, allow])
  expect(JSON.parse(response.text)).toMatchObject({
    error: 'invalid_argument',
    message: `\`${path}\` accepts ${allow}, not ${method}`,
  })
  expect(bff.platform.seen).toEqual([])
})

test('HEAD reaches the platform as HEAD where GET does', async () => {
  const bff = await startBff()
  const response = await bff.request('HEAD', '/api/v1/runs/x', { headers: await bff.signIn() })
  expect([response.status, response.text]).toEqual([200, ''])
  expect(bff.platform.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['HEAD /api/v1/runs/x'])
})

test('a page visit to an unknown API path does not return the app', async () => {
  const bff = await startBff()
  for (const path of ['/api/v1/nothing', '/admin/v1/nothing'])
    expect((await bff.request('GET', path, { headers: { accept: 'text/html' } })).status).toBe(404)
})

test('400 invalid_argument for a path that cannot be decoded', async () => {
  const bff = await startBff()
  const response = await bff.request('GET', '/api/v1/runs/%E0%A4%A', { headers: await bff.signIn() })
  expect(response.status).toBe(400)
  expect(JSON.parse(response.text)).toMatchObject({ error: 'invalid_argument' })
  expect(response.headers['content-security-policy']).toContain("default-src 'none'")
  expect(bff.platform.seen).toEqual([])
})
