import { expect, test } from 'vitest'

import { json } from '#platform/program/testing/scripted-provider.ts'
import { message, model, openTestGateways, token } from '#platform/program/testing/test-gateway.ts'

const gateways = await openTestGateways()
const { provider } = gateways
provider.answers((_, response) => json(response, message))

const models = [model, 'gpt-5', 'gemini-2.5-flash']
const messages = 'anthropic/v1/messages'
const chat = 'openai/v1/chat/completions'
const responses = 'openai/v1/responses'
const gemini = 'google/v1beta/models/gemini-2.5-flash:generateContent'

const send = (url: string, path: string, body: object) =>
  fetch(`${url}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

const openAi = (more: object) => ({ model: 'gpt-5', ...more })
const part = (content: object) => ({ role: 'user', content: [content] })
const stored: [string, object][] = [
  [responses, openAi({ input: 'Hi', previous_response_id: 'resp_1' })],
  [responses, openAi({ input: 'Hi', conversation: 'conv_1' })],
  [responses, openAi({ input: 'Hi', conversation: { id: 'conv_1' } })],
  [responses, openAi({ input: 'Hi', prompt: { id: 'pmpt_1' } })],
  [responses, openAi({ input: 'Hi', store: true })],
  [responses, openAi({ input: [{ type: 'item_reference', id: 'msg_1' }] })],
  [responses, openAi({ input: [{ id: 'msg_1' }] })],
  [responses, openAi({ input: [{ id: 'msg_1', type: null, role: 'assistant' }] })],
  [responses, openAi({ input: [{ type: 'image_generation_call', id: 'ig_1' }] })],
  [responses, openAi({ input: [{ type: 'reasoning', id: 'rs_1', summary: [] }] })],
  ['openai/v1/responses/compact', openAi({ previous_response_id: 'resp_1' })],
  ['openai/v1/responses/input_tokens', openAi({ previous_response_id: 'resp_1' })],
  [responses, openAi({ input: [part({ type: 'input_file', file_id: 'file-1' })] })],
  [responses, openAi({ input: [part({ type: 'input_image', file_id: 'file-1' })] })],
  [chat, openAi({ messages: [], store: true })],
  [chat, openAi({ messages: [part({ type: 'file', file: { file_id: 'file-1' } })] })],
  [chat, openAi({ messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] })],
  [messages, { model, messages: [part({ type: 'document', source: { type: 'file', file_id: 'file_1' } })] }],
  [messages, { model, messages: [part({ type: 'container_upload', file_id: 'file_1' })] }],
  [messages, { model, messages: [], container: 'container_1' }],
  [messages, { model, messages: [], container: { skills: [{ type: 'custom', skill_id: 'skill_1' }] } }],
  [messages, { model, messages: [], fallbacks: [{ model, container: 'container_1' }] }],
  [messages, { model, messages: [], user_profile_id: 'profile_1' }],
  ['anthropic/v1/messages/count_tokens', { model, messages: [], container: 'container_1' }],
  [gemini, { contents: [], store: true }],
  [gemini.replace('generateContent', 'countTokens'), { generateContentRequest: { cachedContent: 'cachedContents/1' } }],
  [gemini, { contents: [{ parts: [{ fileData: { fileUri: 'gs://bucket/of/the/account' } }] }] }],
  [gemini, { contents: [{ parts: [{ file_data: { file_uri: 'files/a?x=/' } }] }] }],
  [gemini, { contents: [], cachedContent: 'cachedContents/1' }],
  [gemini, { contents: [], cached_content: 'cachedContents/1' }],
  [
    gemini,
    { contents: [{ parts: [{ fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a' } }] }] },
  ],
]

test.each(stored)(
  '%s with %j is refused on the operator’s key, whose account all organizations share',
  async (path, body) => {
    const { url } = await gateways.open({ models, allowsInternet: true })
    const asked = provider.received.length
    const refused = await send(url, path, body)
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('all organizations share')])
    expect(provider.received).toHaveLength(asked)
    const own = await gateways.open({ models, allowsInternet: true, upstream: { isManaged: false } })
    expect((await send(own.url, path, body)).status).toBe(200)
  },
)

test.each([
  ['POST', 'openai/v1/files'],
  ['POST', 'openai/v1/batches'],
  ['POST', 'openai/v1/assistants'],
  ['POST', 'openai/v1/conversations'],
  ['GET', 'openai/v1/responses/resp_1'],
  ['POST', 'anthropic/v1/files'],
  ['POST', 'anthropic/v1/messages/batches'],
  ['POST', 'google/v1beta/cachedContents'],
  ['POST', 'google/upload/v1beta/files'],
])('%s %s, a route of stored objects, does not pass', async (method, path) => {
  const { url } = await gateways.open({ models, allowsInternet: true })
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${url}/${path}`, { method, headers, ...(method === 'POST' && { body: '{}' }) })).status).toBe(
    404,
  )
})

test.each([
  [{ type: 'shell', environment: { type: 'local', skills: [{ type: 'skill_reference', skill_id: 'skill_1' }] } }],
  [{ type: 'file_search', vector_store_ids: ['vs_1'] }],
  [{ type: 'code_interpreter', container: 'cntr_1' }],
  [{ type: 'mcp', connector_id: 'connector_1' }],
])('the tool %j, which uses the account, needs the user’s own key', async (tool) => {
  const { url } = await gateways.open({ models, allowsInternet: true })
  const refused = await send(url, responses, openAi({ input: 'Hi', tools: [tool] }))
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('set your own apiKey')])
})

test('a response that would go on in the background is refused, because its usage would not be in the answer', async () => {
  const { url } = await gateways.open({ models })
  expect((await send(url, responses, openAi({ input: 'Hi', background: true }))).status).toBe(403)
})

test('content of the internet and items with their content are no stored objects', async () => {
  const { url } = await gateways.open({ models, allowsInternet: true })
  const video = { contents: [{ parts: [{ fileData: { fileUri: 'https://www.youtube.com/watch?v=a' } }] }] }
  expect((await send(url, gemini, video)).status).toBe(200)
  const input = [
    { role: 'assistant', content: 'Hi', id: 'msg_1' },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
    { type: 'image_generation_call', id: 'ig_1', result: 'x' },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}' },
  ]
  expect((await send(url, responses, openAi({ input }))).status).toBe(200)
  const calls = [{ role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'f', arguments: '{}' } }] }]
  expect((await send(url, chat, openAi({ messages: calls }))).status).toBe(200)
})

test('a response is not stored in the operator’s account, although the provider stores responses by default', async () => {
  const { url } = await gateways.open({ models })
  const sent = async (body: object, path = responses) => {
    await send(url, path, body)
    return JSON.parse(String(provider.received.at(-1)?.body)) as object
  }
  expect(await sent(openAi({ input: 'Hi' }))).toEqual(openAi({ input: 'Hi', store: false }))
  expect(await sent(openAi({ input: 'Hi', store: false }))).toEqual(openAi({ input: 'Hi', store: false }))
  expect(await sent(openAi({ messages: [] }), chat)).toEqual(openAi({ messages: [] }))
  const own = await gateways.open({ models, upstream: { isManaged: false } })
  await send(own.url, responses, openAi({ input: 'Hi' }))
  expect(JSON.parse(String(provider.received.at(-1)?.body))).toEqual(openAi({ input: 'Hi' }))
})

test('values of the client that look like ids of stored objects pass', async () => {
  const { url } = await gateways.open({ models })
  const metadata = { file_id: 'file-1', previous_response_id: 'resp_1' }
  expect((await send(url, responses, openAi({ input: 'Hi', metadata }))).status).toBe(200)
  expect(
    (await send(url, responses, openAi({ input: 'Hi', previous_response_id: null, conversation: null }))).status,
  ).toBe(200)
})
