import { setTimeout as delay } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { json } from '#platform/program/testing/scripted-provider.ts'
import {
  ask,
  finished,
  message,
  openTestGateways,
  price,
  question,
  token,
} from '#platform/program/testing/test-gateway.ts'
import { waitUntil } from '#platform/program/testing/test-run-engine.ts'

const gateways = await openTestGateways()
const { provider } = gateways

test('a call over the budget gets an error that clients do not retry, and the run is asked to end after the error was sent', async () => {
  provider.answers((_, response) => json(response, message))
  const opened = await gateways.open({ maxUsd: price * 1.5 })
  expect((await ask(opened.url)).status).toBe(200)
  expect((await ask(opened.url)).status).toBe(200)
  expect(opened.hits.count).toBe(0)
  const refused = await ask(opened.url)
  expect([refused.status, await refused.json()]).toMatchObject([402, { error: { type: 'billing_error' } }])
  expect(refused.headers.get('x-should-retry')).toBe('false')
  await waitUntil(async () => opened.hits.count === 1, 'the hit')
  expect(opened.gateway.totals()).toMatchObject({ calls: 2, costUsd: expect.closeTo(price * 2, 12) })
})

test('many calls at once exceed a budget by one call at most', async () => {
  let running = 0
  let most = 0
  provider.answers(async (_, response) => {
    running += 1
    most = Math.max(most, running)
    await delay(10)
    running -= 1
    json(response, message)
  })
  const opened = await gateways.open({ maxUsd: price * 5 })
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask(opened.url)))
  const passed = answers.filter(({ status }) => status === 200).length
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(30 - passed)
  expect(passed).toBeGreaterThanOrEqual(5)
  expect(passed).toBeLessThanOrEqual(6)
  expect(opened.gateway.totals().costUsd).toBeLessThanOrEqual(price * 6 + 1e-9)
  expect(most).toBeGreaterThan(1)
})

test('a model without a price is allowed with the user’s own key, and refused with the operator’s key or under a budget', async () => {
  provider.answers((_, response) => json(response, { ...message, model: 'claude-of-tomorrow' }))
  const asked = question({ model: 'claude-of-tomorrow' })
  const models = ['claude-of-tomorrow']
  const own = await gateways.open({ models, upstream: { isManaged: false } })
  expect((await ask(own.url, asked)).status).toBe(200)
  expect(await finished(own)).toMatchObject([{ inputTokens: 1000, costUsd: null }])
  expect(own.gateway.totals()).toMatchObject({ calls: 1, costUsd: null })
  expect((await ask((await gateways.open({ models })).url, asked)).status).toBe(403)
  expect(
    (await ask((await gateways.open({ models, upstream: { isManaged: false }, maxUsd: 1 })).url, asked)).status,
  ).toBe(403)
})

test('counting tokens and listing models are free', async () => {
  provider.answers((_, response) => json(response, { input_tokens: 10, data: [] }))
  const opened = await gateways.open({ maxUsd: 1e-9 })
  const counted = await fetch(`${opened.url}/anthropic/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'x-api-key': token },
    body: JSON.stringify(question()),
  })
  const listed = await fetch(`${opened.url}/anthropic/v1/models?limit=5`, { headers: { 'x-api-key': token } })
  expect([counted.status, listed.status]).toEqual([200, 200])
  expect(await finished(opened)).toMatchObject([
    { api: 'count', tokenSource: 'none', costUsd: null },
    { api: 'models', tokenSource: 'none', costUsd: null },
  ])
  expect(opened.gateway.totals().calls).toBe(0)
})

test('a background response is refused, because its tokens would arrive later', async () => {
  const { url } = await gateways.open({ models: ['gpt-5'], upstream: { isManaged: false } })
  const response = await fetch(`${url}/openai/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: 'gpt-5', input: 'Hi', background: true }),
  })
  expect([response.status, (await response.json()).error.message]).toEqual([
    403,
    'This run cannot use background: its tokens would not be in the answer',
  ])
  expect(provider.received).not.toContainEqual(expect.objectContaining({ url: '/v1/responses' }))
})

test('the time to the first byte includes the wait for the budget', async () => {
  provider.answers(async (_, response) => {
    await delay(60)
    json(response, message)
  })
  const opened = await gateways.open({ maxUsd: 1 })
  await Promise.all([ask(opened.url), ask(opened.url)])
  const calls = await finished(opened)
  expect(Math.max(...calls.map(({ firstByteMs }) => firstByteMs ?? 0))).toBeGreaterThan(115)
})
