import { once } from 'node:events'
import { connect } from 'node:net'

import { expect, test } from 'vitest'

import { json } from '#platform/program/testing/scripted-provider.ts'
import {
  ask,
  finished,
  key,
  message,
  model,
  openTestGateways,
  price,
  question,
  token,
} from '#platform/program/testing/test-gateway.ts'

const gateways = await openTestGateways()
const { provider } = gateways

test('a call passes with the real key, and its tokens and cost are those of the provider’s answer', async () => {
  provider.answers((_, response) => json(response, message))
  const opened = await gateways.open()
  const response = await ask(opened.url, question(), { 'x-api-key': token, 'anthropic-version': '2023-06-01' })
  expect([response.status, await response.json()]).toEqual([200, message])
  const [received] = provider.received
  expect(received).toMatchObject({
    url: '/v1/messages',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'accept-encoding': 'identity' },
  })
  expect(JSON.parse(String(received?.body))).toEqual(question())
  const [call] = await finished(opened)
  expect(call).toMatchObject({
    seq: 1,
    provider: 'anthropic',
    api: 'messages',
    model,
    answeredModel: model,
    status: 200,
    refused: false,
    inputTokens: 1000,
    cachedTokens: 200,
    outputTokens: 50,
    tokenSource: 'provider',
    error: null,
  })
  expect(call?.costUsd).toBeCloseTo(price, 12)
})

test.each([
  ['no token', {}],
  ['a forged token', { 'x-api-key': 'assay-run-other' }],
  ['the right token beside another one', { 'x-api-key': token, authorization: 'Bearer sk-mine' }],
  ['a token of the wrong form', { authorization: `Basic ${token}` }],
])('%s is refused before the provider hears of the call', async (_, headers) => {
  provider.answers((_request, response) => json(response, message))
  const opened = await gateways.open()
  const response = await ask(opened.url, question(), headers as Record<string, string>)
  expect([response.status, await response.json()]).toMatchObject([
    401,
    { type: 'error', error: { type: 'authentication_error' } },
  ])
  expect(provider.received).toEqual([])
  expect(await finished(opened)).toMatchObject([{ status: 401, refused: true, tokenSource: 'none', costUsd: null }])
})

test('the token of a run opens no other run’s gateway, and ends with its agent', async () => {
  const opened = await gateways.open()
  await opened.gateway.close(0)
  await expect(ask(opened.url)).rejects.toThrow()
})

const remoteTool = { type: 'mcp', server_label: 'x', server_url: 'https://example.com' }

/** Asks the Responses API of a gateway. */
const respond = (url: string, body: object) =>
  fetch(`${url}/openai/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: 'gpt-5', input: 'Hi', ...body }),
  })

const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')

test.each([
  ['another model', question({ model: 'claude-opus-5' }), 403],
  ['the model as a second key', '{"model":"claude-sonnet-4-5","messages":[],"model":"claude-opus-5"}', 400],
  ['the model as a key in capitals', '{"model":"claude-sonnet-4-5","messages":[],"Model":"claude-opus-5"}', 400],
  ['the model as an escaped key', '{"model":"claude-sonnet-4-5","messages":[],"mod\\u0065l":"claude-opus-5"}', 400],
  ['the model again after many keys', `{"model":"claude-sonnet-4-5",${keys(900)},"model":"claude-opus-5"}`, 400],
  [
    'a file as a second key of a part',
    '{"model":"claude-sonnet-4-5","messages":[{"content":[{"file_id":"a","type":"file","file_id":null}]}]}',
    400,
  ],
  ['90,000 levels', `{"model":"claude-sonnet-4-5","messages":${'['.repeat(9e4)}${']'.repeat(9e4)}}`, 400],
  ['more keys than any API has', `{"model":"claude-sonnet-4-5",${keys(1000)}}`, 400],
  ['no model', { messages: [] }, 400],
  ['no JSON', 'model=claude', 400],
  ['a tool that reaches the internet', question({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }), 403],
  ['a remote tool server', question({ mcp_servers: [{ url: 'https://example.com' }] }), 403],
  ['a dearer way of answering', question({ speed: 'fast' }), 403],
])('a call with %s is refused', async (_, body, status) => {
  provider.answers((_request, response) => json(response, message))
  const { url } = await gateways.open()
  const response = await ask(url, body)
  expect(response.status).toBe(status)
  expect(provider.received).toEqual([])
})

test('dated snapshots of the model and other models of the definition pass; the refusal of others says how to allow them', async () => {
  provider.answers((_, response) => json(response, message))
  const { url } = await gateways.open({ models: [model, 'claude-haiku-4-5'] })
  expect((await ask(url, question({ model: `${model}-20250929` }))).status).toBe(200)
  expect((await ask(url, question({ model: 'claude-haiku-4-5' }))).status).toBe(200)
  const refused = await ask(url, question({ model: 'claude-opus-5' }))
  expect((await refused.json()).error.message).toBe(
    'This run can use only claude-sonnet-4-5 and claude-haiku-4-5, not claude-opus-5. To allow another model, name it in the definition: models: [{ id: claude-sonnet-4-5, also: [claude-opus-5] }]',
  )
})

test('the model in the path of the Gemini API is checked like one in the body', async () => {
  provider.answers((_, response) => json(response, { candidates: [], usageMetadata: { promptTokenCount: 5 } }))
  const { url } = await gateways.open({ models: ['gemini-2.5-flash'] })
  const generate = (path: string, body: object = { contents: [] }) =>
    fetch(`${url}/google/${path}`, { method: 'POST', headers: { 'x-goog-api-key': token }, body: JSON.stringify(body) })
  expect((await generate('v1beta/models/gemini-2.5-flash:generateContent')).status).toBe(200)
  expect((await generate('v1beta/models/gemini-2.5-pro:generateContent')).status).toBe(403)
  for (const path of [
    'v1beta/models/gemini-2.5-flash%2F..%2Fgemini-2.5-pro:generateContent',
    'v1beta/tunedModels/x:generateContent',
    'v1beta/models/gemini-2.5-flash:batchGenerateContent',
    'v1beta/files',
  ])
    expect([path, (await generate(path)).status]).toEqual([path, 404])
  const both = await generate('v1beta/models/gemini-2.5-flash:generateContent', {
    contents: [],
    model: 'models/gemini-2.5-pro',
  })
  expect(both.status).toBe(400)
  expect((await generate('v1beta/models/gemini-2.5-flash:generateContent?fields=candidates')).status).toBe(400)
  expect((await generate(`v1beta/models/gemini-2.5-flash:generateContent?key=${token}&alt=json`)).status).toBe(200)
  expect(provider.received.map(({ url: path }) => path)).toEqual([
    '/v1beta/models/gemini-2.5-flash:generateContent',
    '/v1beta/models/gemini-2.5-flash:generateContent?alt=json',
  ])
})

test('only headers that the provider’s API needs pass, and answers lose the headers that name the key’s owner', async () => {
  provider.answers((_, response) => {
    response.setHeader('anthropic-organization-id', 'org-1')
    response.setHeader('set-cookie', 'a=b')
    response.setHeader('request-id', 'req-1')
    json(response, message)
  })
  const { url } = await gateways.open()
  const response = await ask(url, question(), {
    'x-api-key': token,
    'x-goog-fieldmask': 'candidates',
    'openai-organization': 'org-2',
    cookie: 'c=d',
    'x-forwarded-for': '1.2.3.4',
    'anthropic-beta': 'context-1m',
  })
  const sent = Object.keys(provider.received[0]?.headers ?? {})
  expect(sent).toContain('anthropic-beta')
  for (const name of ['x-goog-fieldmask', 'openai-organization', 'cookie', 'x-forwarded-for'])
    expect(sent).not.toContain(name)
  expect(response.headers.get('request-id')).toBe('req-1')
  for (const name of ['anthropic-organization-id', 'set-cookie']) expect(response.headers.get(name)).toBeNull()
})

test('a client that disconnects during its request does not count as a provider outage', async () => {
  const opened = await gateways.open()
  const port = Number(new URL(opened.url).port)
  const client = connect(port, '127.0.0.1')
  client.write(
    `POST /anthropic/v1/messages HTTP/1.1\r\nhost: x\r\nx-api-key: ${token}\r\ncontent-length: 100\r\n\r\n{"mod`,
  )
  await once(client, 'connect')
  client.end()
  await once(client.resume(), 'close')
  expect(opened.gateway.outage()).toBeNull()
  expect(await finished(opened)).toMatchObject([
    { refused: true, costUsd: null, error: 'The agent ended the request before it was complete' },
  ])
})

test('a model that the run policy refuses is refused before the provider hears of the call, and costs nothing', async () => {
  provider.answers((_, response) => json(response, message))
  const rules = { models: 'allowed' as const, allowedModels: ['claude-haiku-4-5'] }
  // A run without a model may otherwise use any.
  const opened = await gateways.open({ models: null, rules, upstream: { isManaged: false } })
  const response = await ask(opened.url, question())
  expect([response.status, (await response.json()).error.message]).toEqual([
    403,
    `The run policy of the organization refuses this call: the model ${model} is not allowed. Ask an admin to allow it`,
  ])
  expect(provider.received).toEqual([])
  const allowed = await ask(opened.url, { ...question(), model: 'claude-haiku-4-5-20251001' })
  expect(allowed.status).toBe(200)
  expect(await finished(opened)).toMatchObject([{ refused: true, costUsd: null }, { refused: false }])
})

test('an organization’s own price counts for its own key, and not for the platform’s', async () => {
  provider.answers((_, response) => json(response, message))
  const ownPrices = { [model]: { input: 0, output: 1000, cacheRead: 0, cacheWrite: 0 } }
  const costOf = async (isManaged: boolean) => {
    const opened = await gateways.open({ ownPrices, upstream: { isManaged } })
    await ask(opened.url, question())
    const [call] = await finished(opened)
    return call?.costUsd
  }
  expect(await costOf(false)).toBeCloseTo(0.05, 12)
  expect(await costOf(true)).toBeCloseTo(price, 12)
})

test.each([
  ['a shell in a container of OpenAI', { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }],
  ['a tool in its input', { input: [{ type: 'additional_tools', role: 'developer', tools: [remoteTool] }] }],
  ['a tool that a search found', { input: [{ type: 'tool_search_output', tools: [remoteTool] }] }],
  ['a tool in a namespace', { tools: [{ type: 'namespace', name: 'n', tools: [remoteTool] }] }],
])('%s needs network, and the user’s own key where its cost is limited', async (_, body) => {
  provider.answers((_request, response) => json(response, { object: 'response', model: 'gpt-5', usage: {} }))
  const reasonFor = async (more: Parameters<typeof gateways.open>[0]) => {
    const response = await respond((await gateways.open({ models: ['gpt-5'], ...more })).url, body)
    return response.status === 200 ? null : (await response.json()).error.message
  }
  expect(await reasonFor({ upstream: { isManaged: false } })).toContain('set network: true on the environment')
  expect(await reasonFor({ allowsInternet: true })).toContain('set your own apiKey')
  expect(provider.received).toEqual([])
  expect(await reasonFor({ allowsInternet: true, upstream: { isManaged: false } })).toBeNull()
})

test('the models of tools in the input, and those to fall back to, are checked like the model of the call', async () => {
  provider.answers((_, response) => json(response, message))
  const { url } = await gateways.open({
    models: ['gpt-5', model],
    allowsInternet: true,
    upstream: { isManaged: false },
  })
  const drawing = { type: 'image_generation', model: 'gpt-image-1' }
  for (const tools of [[drawing], [{ type: 'namespace', name: 'n', tools: [drawing] }]])
    expect((await respond(url, { input: [{ type: 'additional_tools', tools }] })).status).toBe(403)
  expect((await ask(url, question({ fallbacks: [{ model: 'claude-opus-5' }] }))).status).toBe(403)
  expect(provider.received).toEqual([])
  expect((await ask(url, question({ fallbacks: [{ model }] }))).status).toBe(200)
})

test('the model of a tool is checked like the model of the call', async () => {
  provider.answers((_, response) => json(response, { object: 'response', model: 'gpt-5', usage: {} }))
  const rules = { models: 'allowed' as const, allowedModels: ['gpt-5', 'gpt-image-1-mini'] }
  const draw = async (models: string[] | null, tool: string) => {
    const opened = await gateways.open({ models, rules, allowsInternet: true, upstream: { isManaged: false } })
    const tools = [{ type: 'image_generation', model: tool }]
    return (await respond(opened.url, { tools })).status
  }
  expect(await draw(['gpt-5'], 'gpt-image-1-mini')).toBe(403)
  expect(await draw(null, 'gpt-image-1')).toBe(403)
  expect(provider.received).toEqual([])
  expect(await draw(['gpt-5', 'gpt-image-1-mini'], 'gpt-image-1-mini')).toBe(200)
  expect(await draw(null, 'gpt-image-1-mini')).toBe(200)
})
