import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'

test('a mail program without a session reaches the platform with a token and nothing else', async () => {
  const bff = await startBff()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie: 'x=1', authorization: 'Bearer y' }
  const body = 'List-Unsubscribe=One-Click'
  const path = `/unsubscribe/YQ.0123456789abcdef.${'x'.repeat(43)}`
  // The platform of these tests answers 401 to every call without a key.
  const answer = await bff.request('POST', path, { headers, body })
  expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined])
  const [seen] = bff.platform.seen
  expect([seen?.method, seen?.url]).toEqual(['POST', path])
  expect(JSON.stringify(seen?.headers)).not.toMatch(/x=1|Bearer/)
})

test.for(['a%2Fb', '%2e%2e', 'a?b=c', 'a'.repeat(501)])(
  'nothing of a link that is no token is forwarded: %s',
  async (token) => {
    const bff = await startBff()
    await bff.request('POST', `/unsubscribe/${token}`, {})
    expect(bff.platform.seen.map(({ url }) => url)).toEqual(['/unsubscribe/unknown'])
  },
)
