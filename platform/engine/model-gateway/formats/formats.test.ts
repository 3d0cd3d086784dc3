import { expect, test } from 'vitest'

import { wireFormats } from './all-formats.ts'
import type { WireFormat } from './wire-format.ts'

const { anthropic, openai, google } = wireFormats

test('the tokens of Messages include cached ones, and say how many of them last an hour', () => {
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 1000,
    cache_creation: { ephemeral_5m_input_tokens: 400, ephemeral_1h_input_tokens: 600 },
    output_tokens: 7,
  }
  const tokens = { input: 1110, cacheRead: 100, cacheWrite: 1000, cacheWriteHour: 600, output: 7 }
  expect(anthropic.readAnswer({ type: 'message', model: 'm', usage })).toMatchObject({
    model: 'm',
    tokens,
    isEnd: true,
  })
  expect(anthropic.readAnswer({ type: 'message_start', message: { model: 'm', usage } })).toMatchObject({ tokens })
  expect(anthropic.readAnswer({ type: 'message_delta', delta: {}, usage: { output_tokens: 9 } })).toEqual({
    tokens: { output: 9 },
    isEnd: true,
  })
})

test('the tokens of Responses are in the whole response and in the last event of a stream', () => {
  const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 4 }, output_tokens: 7 }
  const tokens = { input: 10, cacheRead: 4, cacheWrite: 0, output: 7 }
  expect(openai.readAnswer({ object: 'response', model: 'm', usage })).toMatchObject({
    model: 'm',
    tokens,
    isEnd: true,
  })
  for (const type of ['response.completed', 'response.incomplete', 'response.failed'])
    expect(openai.readAnswer({ type, response: { model: 'm', usage } })).toMatchObject({
      model: 'm',
      tokens,
      isEnd: true,
    })
  expect(openai.readAnswer({ type: 'response.created', response: { model: 'm' } })).toMatchObject({ model: 'm' })
  expect(openai.readAnswer({ type: 'response.failed', response: { model: 'm', usage: null } })).toMatchObject({
    isEnd: false,
  })
  expect(openai.readAnswer({ type: 'response.output_text.delta', delta: 'Hello' })).toMatchObject({ textLength: 5 })
})

test('the tokens of Chat Completions have names of their own', () => {
  const usage = { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 4 }, completion_tokens: 7 }
  const tokens = { input: 10, cacheRead: 4, output: 7 }
  expect(openai.readAnswer({ object: 'chat.completion', model: 'm', choices: [], usage })).toMatchObject({
    tokens,
    isEnd: true,
  })
  expect(
    openai.readAnswer({ object: 'chat.completion.chunk', choices: [{ delta: { content: 'Hello' } }], usage: null }),
  ).toMatchObject({ isEnd: false, textLength: 5 })
})

test('the tokens of the Gemini API include thinking and tool prompts, and a count that is absent is zero', () => {
  const usageMetadata = {
    promptTokenCount: 10,
    toolUsePromptTokenCount: 1,
    cachedContentTokenCount: 4,
    candidatesTokenCount: 7,
    thoughtsTokenCount: 5,
  }
  const finished = {
    candidates: [{ finishReason: 'STOP', content: { parts: [{ text: 'Hello' }] } }],
    modelVersion: 'm',
  }
  expect(google.readAnswer({ ...finished, usageMetadata })).toEqual({
    model: 'm',
    tokens: { input: 11, cacheRead: 4, output: 12 },
    isEnd: true,
    textLength: 5,
  })
  expect(google.readAnswer({ candidates: [{}], usageMetadata: { promptTokenCount: 3 } })).toMatchObject({
    tokens: { input: 3, cacheRead: 0, output: 0 },
    isEnd: false,
  })
})

test('text that is not a provider’s answer yields no tokens and throws no error', () => {
  const odd = [
    null,
    7,
    'x',
    [],
    {},
    { usage: 'many' },
    { type: 'message', usage: { input_tokens: -5, output_tokens: 1e300 } },
  ]
  for (const { readAnswer } of [anthropic, openai, google])
    for (const answer of odd) {
      const { tokens } = readAnswer(answer)
      expect(Object.values(tokens ?? {}).every((count) => Number.isInteger(count) && count >= 0)).toBe(true)
    }
})

const usesOf = (format: WireFormat, body: Readonly<Record<string, unknown>>) =>
  format.extraUses(body, format.toolsIn(body))

const remoteTool = { type: 'mcp', server_label: 'x', server_url: 'https://example.com' }
const addition = (definition: object) => ({ type: 'tool_addition', tool: { type: 'tool_definition', definition } })
const namespace = (tools: object[]) => ({ type: 'namespace', name: 'n', tools })

test.each([
  [openai, { tools: [{ type: 'web_search' }] }, 'internet'],
  [openai, { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }, 'internet'],
  [openai, { tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: 'c' } }] }, 'internet'],
  [openai, { tools: [{ name: 'x' }] }, 'internet'],
  [openai, { tools: [namespace([remoteTool])] }, 'internet'],
  [openai, { tools: [namespace([namespace([remoteTool])])] }, 'internet'],
  [openai, { input: [{ type: 'additional_tools', role: 'developer', tools: [remoteTool] }] }, 'internet'],
  [openai, { input: [{ type: 'additional_tools', tools: [namespace([{ type: 'web_search' }])] }] }, 'internet'],
  [openai, { input: [{ type: 'tool_search_output', execution: 'client', tools: [remoteTool] }] }, 'internet'],
  [openai, { prompt: { id: 'pmpt_1' } }, 'internet'],
  [openai, { tools: [{ type: 'web_search', external_web_access: false }] }, 'billing'],
  [openai, { tools: [{ type: 'mcp', server_url: 'https://example.com' }] }, 'internet'],
  [openai, { tools: [{ type: 'mcp', external_web_access: false }] }, 'internet'],
  [openai, { web_search_options: {} }, 'internet'],
  [openai, { service_tier: 'priority' }, 'billing'],
  [openai, { background: true }, 'unmeasured'],
  [google, { tools: [{ google_search: {} }] }, 'internet'],
  [google, { tools: [{ urlContext: {} }] }, 'internet'],
  [google, { tools: { googleSearch: {} } }, 'internet'],
  [google, { tools: [{ code_execution: {} }] }, 'billing'],
  [anthropic, { tools: [{ type: 'web_fetch_20250910' }] }, 'internet'],
  [anthropic, { tools: [{ type: 'code_execution_20250825' }] }, 'billing'],
  [anthropic, { tools: [{ type: 'tool_of_tomorrow_20270101' }] }, 'internet'],
  [anthropic, { tools: [{ type: 'advisor_20260301' }] }, 'unmeasured'],
  [anthropic, { context_management: { edits: [{ type: 'compact_20260112' }] } }, 'unmeasured'],
  [anthropic, { inference_geo: 'us' }, 'billing'],
  [anthropic, { messages: [{ role: 'system', content: [addition({ type: 'web_search_20260318' })] }] }, 'internet'],
  [anthropic, { fallbacks: [{ model: 'claude-opus-5', speed: 'fast' }] }, 'billing'],
])('%o with %j uses more than tokens', (format, body, reason) => {
  expect(usesOf(format, body)).toMatchObject([{ reason }])
})

test('tools that the client runs itself use only tokens', () => {
  expect(usesOf(openai, { tools: [{ type: 'function' }, { type: 'custom' }], service_tier: 'auto' })).toEqual([])
  const shells = [{ type: 'shell' }, { type: 'shell', environment: { type: 'local', skills: [] } }]
  expect(usesOf(openai, { input: [{ type: 'additional_tools', tools: [namespace(shells)] }] })).toEqual([])
  expect(usesOf(google, { tools: [{ functionDeclarations: [] }] })).toEqual([])
  const types = ['custom', 'bash_20250124', 'text_editor_20250728', 'computer_20250124', 'memory_20250818']
  const tools = [{ name: 'x' }, ...[...types, 'tool_search_tool_regex_20251119'].map((type) => ({ type }))]
  expect(usesOf(anthropic, { tools, mcp_servers: [] })).toEqual([])
  const edits = [{ type: 'clear_thinking_20251015' }, { type: 'clear_tool_uses_20250919' }]
  expect(usesOf(anthropic, { context_management: { edits } })).toEqual([])
})

test('values of the client’s own that look like tools of a provider are no tools', () => {
  const value = { tools: [remoteTool, { type: 'web_search_20250305' }] }
  const search = { type: 'tool_search_call', arguments: value }
  const parameters = { type: 'object', properties: { tools: { type: 'array' } }, default: value }
  const choice = { type: 'allowed_tools', tools: [{ type: 'web_search' }] }
  const tools = [{ type: 'function', parameters }]
  expect(usesOf(openai, { tools, input: [search], tool_choice: choice, metadata: value })).toEqual([])
  const use = { type: 'tool_use', name: 'x', input: { ...value, definition: value.tools[1] } }
  const own = [{ name: 'x', input_schema: { type: 'object', default: value }, input_examples: [value] }]
  expect(usesOf(anthropic, { tools: own, messages: [{ role: 'assistant', content: [use] }] })).toEqual([])
  expect(usesOf(google, { contents: [{ parts: [{ functionCall: { name: 'x', args: value } }] }] })).toEqual([])
})
