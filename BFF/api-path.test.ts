import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'

test.for([
  ['a~b::hash', 'parses MCMXC'],
  ['a~b::hash', 'suite/one % of :: 日本'],
  ['x%2Fy', '%252F'],
  ['a+b', 'c&d=e?f#g;h'],
  ['...', '.hidden/../../whoami'],
  ['v'.repeat(500), 'a\\b"c<d>'],
])('the id %s and the name %s reach the platform unchanged', async ([id = '', name = '']) => {
  const bff = await startBff()
  const path = `/api/v1/runs/${encodeURIComponent(id)}/tests/${encodeURIComponent(name)}`
  await bff.request('GET', path, { headers: await bff.signIn() })

  expect(bff.platform.seen.map(({ url }) => url)).toEqual([path])
})

test('an unencoded id is encoded before it is forwarded', async () => {
  const bff = await startBff()
  await bff.request('GET', "/api/v1/runs/a~b::hash/tests/it's(1)", { headers: await bff.signIn() })
  expect(bff.platform.seen[0]?.url).toBe("/api/v1/runs/a~b%3A%3Ahash/tests/it's(1)")
})

test('the query string is forwarded unchanged', async () => {
  const bff = await startBff()
  const query = '?status=failed,passed&status=x&name=%E6%97%A5&empty=&path=../..'
  await bff.request('GET', `/api/v1/runs${query}`, { headers: await bff.signIn() })
  expect(bff.platform.seen[0]?.url).toBe(`/api/v1/runs${query}`)
})

test('a platform URL with a path keeps that path', async () => {
  const elsewhere = await startBff()
  const bff = await startBff({ PLATFORM_URL: `${elsewhere.platform.url}/assay/` })
  await bff.request('GET', '/api/v1/runs', { headers: await bff.signIn() })
  expect(elsewhere.platform.seen.at(-1)?.url).toBe('/assay/api/v1/runs')
})
