import { z } from 'zod'

import type { CallTokens } from '#platform/ground/models/cost-of.ts'
import { findTools, type Tool } from './find-tools.ts'
import { Count, isRecord, lengthOf, recordsIn, Text } from './json-shapes.ts'
import { type AnswerPart, type ExtraUse, type Refusal, statusOf, type WireFormat } from './wire-format.ts'

/** "Messages" and "Streaming messages", Claude Developer Platform documentation, autumn 2026. */
const Usage = z.object({
  input_tokens: Count,
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
  cache_creation: z.object({ ephemeral_1h_input_tokens: Count }).nullish().catch(undefined),
  output_tokens: Count,
})

const Answer = z.object({
  type: z.string(),
  model: Text,
  usage: Usage.nullish().catch(undefined),
  message: z
    .object({ model: Text, usage: Usage.nullish().catch(undefined) })
    .optional()
    .catch(undefined),
  delta: z.record(z.string(), z.unknown()).optional().catch(undefined),
  error: z.object({ message: Text }).optional().catch(undefined),
})

/** Counts in a later event are cumulative, and an event may leave some out. */
function tokensOf(usage: z.infer<typeof Usage>): Partial<CallTokens> {
  const cacheRead = usage.cache_read_input_tokens ?? undefined
  const cacheWrite = usage.cache_creation_input_tokens ?? undefined
  const cacheWriteHour = usage.cache_creation?.ephemeral_1h_input_tokens ?? undefined
  const plain = usage.input_tokens ?? undefined
  return {
    ...(plain !== undefined && { input: plain + (cacheRead ?? 0) + (cacheWrite ?? 0) }),
    ...(plain !== undefined && { cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0 }),
    ...(plain !== undefined && cacheWriteHour !== undefined && { cacheWriteHour }),
    ...(typeof usage.output_tokens === 'number' && { output: usage.output_tokens }),
  }
}

function readAnswer(answer: unknown): AnswerPart {
  const parsed = Answer.safeParse(answer)
  if (!parsed.success) return {}
  const { type, model, usage, message, delta, error } = parsed.data
  const tokens = usage ? tokensOf(usage) : undefined
  if (type === 'message') return { model, tokens, isEnd: true }
  if (type === 'message_start')
    return { model: message?.model, tokens: message?.usage ? tokensOf(message.usage) : undefined }
  if (type === 'message_delta') return { tokens, isEnd: tokens?.output !== undefined }
  if (type === 'content_block_delta')
    return { textLength: lengthOf(delta?.['text']) + lengthOf(delta?.['thinking']) + lengthOf(delta?.['partial_json']) }
  return error ? { error: error.message } : {}
}

/** A message can add a tool, with its definition. */
const toolsIn = (body: Readonly<Record<string, unknown>>) =>
  findTools(body, { fields: ['tools', 'definition'], opaque: /^(input|input_schema|input_examples|schema|metadata)$/ })

/** Tools that the client runs, and the search in its own tools. All others run at the provider. */
const ownTools = /^(custom$|bash_|text_editor_|computer_|memory_|tool_search_tool)/

function reasonOf(tool: string): ExtraUse['reason'] {
  // Its tokens are those of another model.
  if (tool.startsWith('advisor_')) return 'unmeasured'
  return tool.startsWith('code_execution') ? 'billing' : 'internet'
}

/** Edits that do more than leave out content call a model, whose tokens are not in the usage. */
function unmeasuredEdits(management: unknown): string[] {
  const edits = isRecord(management) ? recordsIn(management['edits']) : []
  return edits.map(({ type }) => String(type)).filter((type) => !type.startsWith('clear_'))
}

function extraUses(body: Readonly<Record<string, unknown>>, tools: readonly Tool[]): ExtraUse[] {
  const types = tools.map(({ type }) => String(type ?? 'custom'))
  const attempts = [body, ...recordsIn(body['fallbacks'])]
  const servers = Array.isArray(body['mcp_servers']) && body['mcp_servers'].length > 0
  return [
    ...types.filter((type) => !ownTools.test(type)).map((type) => ({ field: type, reason: reasonOf(type) })),
    ...unmeasuredEdits(body['context_management']).map((field) => ({ field, reason: 'unmeasured' as const })),
    ...(servers ? [{ field: 'mcp_servers', reason: 'internet' as const }] : []),
    ...(attempts.some(({ speed }) => speed === 'fast') ? [{ field: 'speed', reason: 'billing' as const }] : []),
    ...(typeof body['inference_geo'] === 'string' && body['inference_geo'] !== 'global'
      ? [{ field: 'inference_geo', reason: 'billing' as const }]
      : []),
  ]
}

const errorTypes: Record<Refusal, string> = {
  authentication: 'authentication_error',
  permission: 'permission_error',
  'not-found': 'not_found_error',
  invalid: 'invalid_request_error',
  'too-large': 'request_too_large',
  'too-slow': 'timeout_error',
  budget: 'billing_error',
  busy: 'rate_limit_error',
  upstream: 'api_error',
}

export const anthropic: WireFormat = {
  provider: 'anthropic',
  baseUrl: 'https://api.anthropic.com',
  // Some clients want base URLs with the version, and others without.
  urlOf: (baseUrl, path) => `${baseUrl.replace(/\/v1$/, '')}${path}`,
  routeOf(method, path) {
    if (method === 'POST' && path === '/v1/messages') return { api: 'messages' }
    if (method === 'POST' && path === '/v1/messages/count_tokens') return { api: 'count' }
    return method === 'GET' && /^\/v1\/models(\/[\w.:-]+)?$/.test(path) ? { api: 'models' } : undefined
  },
  query: ['beta', 'limit', 'after_id', 'before_id'],
  headers: /^anthropic-(version|beta|dangerous-direct-browser-access)$|^x-app$/,
  keyHeaders: (key, isBearer): Record<string, string> =>
    isBearer ? { authorization: `Bearer ${key}` } : { 'x-api-key': key },
  readAnswer,
  toolsIn,
  extraUses,
  remoteField: ({ source }) => (isRecord(source) && source['type'] === 'url' ? 'source.url' : undefined),
  storedField: ({ type, file_id: id }) =>
    typeof id === 'string' && (type === 'file' || type === 'container_upload') ? 'file_id' : undefined,
  storedOption: (body) =>
    ['container', 'user_profile_id'].find((field) =>
      [body, ...recordsIn(body['fallbacks'])].some((attempt) => (attempt[field] ?? null) !== null),
    ),
  notStored: () => null,
  maxOutput: ({ max_tokens: most }) => (typeof most === 'number' ? most : undefined),
  error: (refusal, message) => ({
    status: statusOf[refusal],
    body: { type: 'error', error: { type: errorTypes[refusal], message } },
  }),
}
