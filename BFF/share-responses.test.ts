import { expect, test } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'

type Bff = Awaited<ReturnType<typeof startBff>>

/** A platform that answers on command, with the number of requests it received. */
function holdAnswers(bff: Bff) {
  const held: (() => void)[] = []
  let asked = 0
  bff.platform.answerWith((_request, response) => {
    asked += 1
    const answer = `answer ${asked}`
    held.push(() => response.end(answer))
  })
  return {
    untilAsked: (times: number) => expect.poll(() => asked).toBe(times),
    release: () => held.splice(0).forEach((answer) => answer()),
  }
}

const path = '/api/v1/runs?run_request_id=x'

test('identical polls that arrive during a request share one further request', async () => {
  const bff = await startBff()
  const [one, two] = [await bff.signIn(), await bff.signIn()]
  const platform = holdAnswers(bff)
  const first = bff.request('GET', path, { headers: one })
  await platform.untilAsked(1)
  const others = [one, two, one, two].map((headers) => bff.request('GET', path, { headers }))
  // A request that is answered at once shows that the requests before it have arrived.
  const marker = bff.request('GET', `${path}&limit=1`, { headers: one })
  await platform.untilAsked(2)
  platform.release()
  await platform.untilAsked(3)
  platform.release()
  expect((await first).text).toBe('answer 1')
  expect((await marker).text).toBe('answer 2')
  expect((await Promise.all(others)).map(({ text }) => text)).toEqual(Array(4).fill('answer 3'))
})

test('requests with different keys or different headers never share a response', async () => {
  const bff = await startBff()
  const [ada, max] = [await bff.signIn(), await bff.signIn('assay_key_of_max')]
  const platform = holdAnswers(bff)
  const asked = [ada, max, { ...ada, 'if-none-match': 'W/"1"' }, { ...ada, 'accept-encoding': 'gzip' }].map((headers) =>
    bff.request('GET', path, { headers }),
  )
  await platform.untilAsked(4)
  platform.release()
  const texts = (await Promise.all(asked)).map(({ text }) => text)
  expect(new Set(texts).size).toBe(4)
  const keys = bff.platform.seen.map(({ headers }) => headers.authorization)
  expect(new Set(keys).size).toBe(2)
})

test('a poll whose shared request fails is sent again, and a revoked key ends every session that shared its 401', async () => {
  const bff = await startBff()
  const [one, two] = [await bff.signIn(), await bff.signIn()]
  const held: (() => void)[] = []
  bff.platform.answerWith((request, response) => {
    held.push(() => (held.length === 0 ? request.socket.destroy() : response.writeHead(401).end('{}')))
  })
  const first = bff.request('GET', path, { headers: one })
  await expect.poll(() => held.length).toBe(1)
  const others = [one, two].map((headers) => bff.request('GET', path, { headers }))
  const marker = bff.request('GET', `${path}&limit=1`, { headers: one })
  await expect.poll(() => held.length).toBe(2)
  const release = () => {
    const answer = held.shift()
    answer?.()
  }
  held.reverse()
  release()
  release()
  expect((await first).status).toBe(503)
  await expect.poll(() => held.length).toBe(1)
  bff.platform.answerWith((_request, response) => response.writeHead(401).end('{}'))
  held.push(() => {})
  release()
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([401, 401])
  await marker
  expect((await bff.request('GET', path, { headers: two })).status).toBe(401)
})
