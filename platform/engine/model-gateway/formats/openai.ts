import { z } from 'zod'

import type { CallTokens } from '#platform/ground/models/cost-of.ts'
import { findTools, type Tool } from './find-tools.ts'
import { Count, isRecord, lengthOf, recordsIn, Text } from './json-shapes.ts'
import { type AnswerPart, type ExtraUse, type Refusal, statusOf, type WireFormat } from './wire-format.ts'

const Details = z.object({ cached_tokens: Count, cache_write_tokens: Count }).nullish().catch(undefined)

/** "Responses" and "Chat Completions", OpenAI API reference, autumn 2026. The two name the same counts differently. */
const Usage = z.object({
  input_tokens: Count,
  input_tokens_details: Details,
  output_tokens: Count,
  prompt_tokens: Count,
  prompt_tokens_details: Details,
  completion_tokens: Count,
})

const Answer = z.object({
  object: Text,
  type: Text,
  model: Text,
  status: Text,
  usage: Usage.nullish().catch(undefined),
  delta: z.unknown().optional(),
  response: z
    .object({ model: Text, usage: Usage.nullish().catch(undefined) })
    .optional()
    .catch(undefined),
  choices: z
    .array(z.object({ delta: z.record(z.string(), z.unknown()).optional() }))
    .optional()
    .catch(undefined),
  error: z.object({ message: Text }).nullish().catch(undefined),
  message: Text,
})

function tokensOf(usage: z.infer<typeof Usage>): Partial<CallTokens> | undefined {
  const input = usage.input_tokens ?? usage.prompt_tokens
  const output = usage.output_tokens ?? usage.completion_tokens
  const details = usage.input_tokens_details ?? usage.prompt_tokens_details
  if (typeof input !== 'number') return undefined
  return {
    input,
    output: output ?? 0,
    cacheRead: details?.cached_tokens ?? 0,
    cacheWrite: details?.cache_write_tokens ?? 0,
  }
}

const lastEvents = new Set(['response.completed', 'response.incomplete', 'response.failed'])

function readAnswer(answer: unknown): AnswerPart {
  const parsed = Answer.safeParse(answer)
  if (!parsed.success) return {}
  const { type, model, usage, response, delta, choices, error, message } = parsed.data
  if (type !== undefined && lastEvents.has(type)) {
    const tokens = response?.usage ? tokensOf(response.usage) : undefined
    return { model: response?.model, tokens, isEnd: tokens !== undefined }
  }
  if (type === 'error') return { error: error?.message ?? message }
  if (response) return { model: response.model }
  if (error) return { error: error.message }
  const tokens = usage ? tokensOf(usage) : undefined
  return { model, tokens, isEnd: tokens !== undefined, textLength: lengthOf(delta) + textOfChoices(choices) }
}

const textOfChoices = (choices: z.infer<typeof Answer>['choices'] = []) =>
  choices.reduce(
    (sum, { delta }) => sum + (delta ? lengthOf(delta['content']) + lengthOf(delta['reasoning_content']) : 0),
    0,
  )

/** Items of the input define tools too. A tool choice only names tools that are defined elsewhere. */
const toolsIn = (body: Readonly<Record<string, unknown>>) =>
  findTools(body, {
    fields: ['tools'],
    opaque: /^(parameters|arguments|schema|input_schema|output_schema|metadata|tool_choice)$/,
  })

const ownTools = new Set(['function', 'custom', 'namespace', 'local_shell', 'shell', 'apply_patch', 'tool_search'])

/** OpenAI runs a shell in a container unless its environment is that of the client. */
const isOwn = ({ type, environment }: Tool) =>
  ownTools.has(String(type)) && (type !== 'shell' || environment === undefined || isLocal(environment))

/** A skill with an id is in the account. */
const isLocal = (environment: unknown) =>
  isRecord(environment) &&
  environment['type'] === 'local' &&
  recordsIn(environment['skills']).every(({ skill_id: id }) => id === undefined)

/** Web search without `external_web_access` reads only OpenAI's cache, but is billed for each call. */
const isOffline = (tool: Tool) => String(tool['type']).startsWith('web_search') && tool['external_web_access'] === false

function extraUses(body: Readonly<Record<string, unknown>>, tools: readonly Tool[]): ExtraUse[] {
  const tier = body['service_tier']
  const isOtherTier = typeof tier === 'string' && !['auto', 'default', 'flex'].includes(tier)
  return [
    ...tools
      .filter((tool) => !isOwn(tool))
      .map((tool) => ({
        field: String(tool['type'] ?? 'a tool without a type'),
        reason: isOffline(tool) ? ('billing' as const) : ('internet' as const),
      })),
    // A prompt that OpenAI stores can have tools, which the gateway cannot see.
    ...(isRecord(body['prompt']) ? [{ field: 'prompt', reason: 'internet' as const }] : []),
    ...(isRecord(body['web_search_options']) ? [{ field: 'web_search_options', reason: 'internet' as const }] : []),
    ...(isOtherTier ? [{ field: 'service_tier', reason: 'billing' as const }] : []),
    ...(body['background'] === true ? [{ field: 'background', reason: 'unmeasured' as const }] : []),
  ]
}

/** Chat Completions has the address of an image in an object. An address with the content itself loads nothing. */
const isRemote = (address: unknown): boolean =>
  isRecord(address) ? isRemote(address['url']) : typeof address === 'string' && !/^(data:|$)/i.test(address)

const remoteField = (part: Readonly<Record<string, unknown>>) =>
  ['image_url', 'file_url'].find((name) => isRemote(part[name]))

const isId = (value: unknown) => typeof value === 'string' && value !== ''

/** An item that has only its id: OpenAI looks for the rest among stored responses. The type of a reference is optional. */
function isReference(part: Readonly<Record<string, unknown>>): boolean {
  if (part['type'] === 'item_reference') return true
  if (!isId(part['id'])) return false
  if (part['type'] === 'image_generation_call') return !isId(part['result'])
  if (part['type'] === 'reasoning') return !isId(part['encrypted_content']) && recordsIn(part['content']).length === 0
  const isMessage = isId(part['role']) && part['content'] !== undefined
  return (part['type'] === undefined || part['type'] === null) && !isMessage && !isRecord(part['function'])
}

/** Files, earlier answers as audio, and items of stored responses. */
function storedField(part: Readonly<Record<string, unknown>>): string | undefined {
  if (isReference(part)) return 'item_reference'
  if (isId(part['file_id'])) return 'file_id'
  return isRecord(part['audio']) && isId(part['audio']['id']) ? 'audio.id' : undefined
}

function storedOption(body: Readonly<Record<string, unknown>>): string | undefined {
  const named = ['previous_response_id', 'conversation', 'prompt'].find(
    (field) => isId(body[field]) || isRecord(body[field]),
  )
  return named ?? (body['store'] === true ? 'store' : undefined)
}

const errorTypes: Record<Refusal, string> = {
  authentication: 'invalid_api_key',
  permission: 'model_not_allowed',
  'not-found': 'not_found',
  invalid: 'invalid_request',
  'too-large': 'request_too_large',
  'too-slow': 'request_timeout',
  budget: 'budget_exceeded',
  busy: 'rate_limit_exceeded',
  upstream: 'upstream_error',
}

export const openai: WireFormat = {
  provider: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  urlOf: (baseUrl, path) => `${baseUrl}${path.slice('/v1'.length)}`,
  routeOf(method, path) {
    if (method === 'POST' && /^\/v1\/responses(\/compact)?$/.test(path)) return { api: 'responses', path }
    if (method === 'POST' && path === '/v1/responses/input_tokens') return { api: 'count' }
    if (method === 'POST' && path === '/v1/chat/completions') return { api: 'chat' }
    return method === 'GET' && /^\/v1\/models(\/[\w.:-]+)?$/.test(path) ? { api: 'models' } : undefined
  },
  query: ['client_version', 'limit', 'after'],
  headers: /^openai-beta$|^originator$|^(session|conversation|thread)[_-]id$|^version$/,
  keyHeaders: (key) => ({ authorization: `Bearer ${key}` }),
  readAnswer,
  toolsIn,
  extraUses,
  remoteField,
  storedField,
  storedOption,
  // The Responses API stores answers for a month unless it is asked not to.
  notStored: ({ path }, { store }) => (path === '/v1/responses' && store !== false ? { store: false } : null),
  maxOutput(body) {
    const most = body['max_output_tokens'] ?? body['max_completion_tokens'] ?? body['max_tokens']
    const answers = typeof body['n'] === 'number' ? body['n'] : 1
    return typeof most === 'number' ? most * answers : undefined
  },
  error: (refusal, message) => ({
    status: statusOf[refusal],
    body: { error: { message, type: errorTypes[refusal], param: null, code: errorTypes[refusal] } },
  }),
}
