import { expect, test } from 'vitest'

import { json } from '#platform/program/testing/scripted-provider.ts'
import { message, model, openTestGateways, token } from '#platform/program/testing/test-gateway.ts'

const gateways = await openTestGateways()
gateways.provider.answers((_, response) => json(response, message))

const models = [model, 'gpt-5', 'gemini-2.5-flash']
const paths = {
  messages: 'anthropic/v1/messages',
  chat: 'openai/v1/chat/completions',
  responses: 'openai/v1/responses',
  gemini: 'google/v1beta/models/gemini-2.5-flash:generateContent',
}

const bodies = {
  messages: (part: object) => ({ model, messages: [{ role: 'user', content: [part] }] }),
  chat: (part: object) => ({ model: 'gpt-5', messages: [{ role: 'user', content: [part] }] }),
  responses: (part: object) => ({ model: 'gpt-5', input: [{ role: 'user', content: [part] }] }),
  gemini: (part: object) => ({ contents: [{ parts: [part] }] }),
}

type Api = keyof typeof paths

const askWith = (url: string, api: Api, part: object) =>
  fetch(`${url}/${paths[api]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(bodies[api](part)),
  })

const address = 'https://example.com/?leak'
const image = { type: 'image', source: { type: 'url', url: address } }

const remote: [Api, object][] = [
  ['messages', image],
  ['messages', { type: 'tool_result', content: [image] }],
  ['chat', { type: 'image_url', image_url: { url: address } }],
  ['responses', { type: 'input_image', image_url: address }],
  ['responses', { type: 'input_file', file_url: 'HTTP://example.com' }],
  ['gemini', { fileData: { fileUri: address } }],
  ['gemini', { file_data: { file_uri: address } }],
]

test.each(remote)('%s with %j reaches the internet, so the run needs network', async (api, part) => {
  const refused = await askWith((await gateways.open({ models })).url, api, part)
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('set network: true')])
  expect((await askWith((await gateways.open({ models, allowsInternet: true })).url, api, part)).status).toBe(200)
})

const own: [Api, object][] = [
  ['messages', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }],
  ['chat', { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }],
  ['responses', { type: 'input_image', image_url: 'data:image/png;base64,aGk=' }],
  ['gemini', { inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
]

test.each(own)('%s with inline content is allowed without a network: %j', async (api, part) => {
  expect((await askWith((await gateways.open({ models })).url, api, part)).status).toBe(200)
})

test('a request of more values than any client sends is refused on every run', async () => {
  const { url } = await gateways.open({ models, allowsInternet: true })
  const refused = await askWith(url, 'messages', { values: Array.from({ length: 1_000_001 }, () => 0) })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('more than 1000000 values')])
  const text = '[{,"'.repeat(300_000)
  expect((await askWith(url, 'messages', { type: 'text', text })).status).toBe(200)
})
