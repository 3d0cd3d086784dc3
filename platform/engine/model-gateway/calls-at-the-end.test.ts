import { expect, test } from 'vitest'

import { waitUntil } from '#platform/program/testing/test-run-engine.ts'
import { eventsOf, json } from '#platform/program/testing/scripted-provider.ts'
import {
  ask,
  finished,
  message,
  model,
  openTestGateways,
  price,
  question,
  token,
  usage,
} from '#platform/program/testing/test-gateway.ts'

const gateways = await openTestGateways()
const { provider } = gateways

const outputPrice = 15 / 1e6

/** Sends questions whose client leaves as soon as the provider has them. */
async function leaveInFlight(count: number, body: object, path = 'anthropic/v1/messages', models = [model]) {
  const opened = await gateways.open({ models })
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  for (let sent = 0; sent < count; sent += 1)
    void fetch(`${opened.url}/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: leaving.signal,
    }).catch(() => {})
  await waitUntil(async () => provider.received.length === count, 'the questions')
  leaving.abort()
  return opened
}

test('calls in flight at the end of the agent are charged with the usage that the provider names later', async () => {
  const gate = Promise.withResolvers<void>()
  provider.answers(async (_, response) => {
    await gate.promise
    json(response, message)
  })
  const opened = await leaveInFlight(20, question())
  const closing = opened.gateway.close(60_000)
  gate.resolve()
  await closing
  expect(opened.gateway.totals()).toMatchObject({ calls: 20, costUsd: expect.closeTo(price * 20, 9) })
  expect(opened.calls.every(({ tokenSource }) => tokenSource === 'provider')).toBe(true)
})

test('calls that are cut at the end are charged with all tokens that they may have generated', async () => {
  provider.answers(() => {})
  const opened = await leaveInFlight(20, question({ max_tokens: 800 }))
  await opened.gateway.close(20)
  expect(opened.calls).toHaveLength(20)
  for (const call of opened.calls) expect(call).toMatchObject({ outputTokens: 800, tokenSource: 'estimated' })
  expect(opened.gateway.totals().costUsd).toBeGreaterThanOrEqual(20 * 800 * outputPrice)
})

test('a cut call without a limit of its own is charged with the longest answer of today’s models', async () => {
  provider.answers(() => {})
  const body = { model: 'gpt-5', messages: [] }
  const opened = await leaveInFlight(1, body, 'openai/v1/chat/completions', ['gpt-5'])
  await opened.gateway.close(20)
  expect(opened.calls).toMatchObject([{ outputTokens: 128_000, tokenSource: 'estimated' }])
})

test('a cut stream is charged with no more than its provider can have generated in its time', async () => {
  provider.answers((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(eventsOf([{ type: 'message_start', message: { model, usage: { ...usage, output_tokens: 1 } } }])[0])
  })
  const opened = await gateways.open()
  const response = await ask(opened.url, question({ stream: true, max_tokens: 64_000 }))
  await response.body?.getReader().read()
  await opened.gateway.close(200)
  const [call] = opened.calls
  expect(call).toMatchObject({ inputTokens: 1000, tokenSource: 'estimated' })
  expect(call?.outputTokens).toBeGreaterThanOrEqual(50)
  expect(call?.outputTokens).toBeLessThan(64_000)
})

test('the end of the time for calls in flight can come earlier', async () => {
  provider.answers(() => {})
  const opened = await leaveInFlight(1, question())
  const closing = opened.gateway.close(600_000)
  await opened.gateway.close(0)
  await closing
  expect(await finished(opened)).toMatchObject([{ outputTokens: 100 }])
})
