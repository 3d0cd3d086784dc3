import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'

test.for(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:4400', '10.0.0.7:4400'])(
  '403 for every request to the host %j',
  async (host) => {
    const bff = await startBff()
    for (const path of ['/', '/session', '/healthz', '/api/v1/whoami', '/assets/app-1a2b.js']) {
      expect((await bff.request('GET', path, { headers: { host } })).status).toBe(403)
    }
  },
)

test.for(['127.0.0.1:4400', 'localhost', 'LOCALHOST:80', '[::1]:4400'])('the host %s is served', async (host) => {
  const bff = await startBff()
  expect((await bff.request('GET', '/', { headers: { host } })).status).toBe(200)
})
