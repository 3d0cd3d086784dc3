import { z } from 'zod'

import { Timestamp } from '#contract/wire/query-values.ts'
import { clientMessage, cost, jsonLines, maxItems, silent, toContent, tokenCount } from './json-line.ts'
import type { LineParser, ParsedLine, ParsedTurn, Usage } from './parsed-line.ts'
import { toolCall, toolResult } from './tool-turns.ts'

const Content = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({
    type: z.enum(['tool_use', 'server_tool_use', 'mcp_tool_use']),
    id: z.string(),
    name: z.string(),
    server_name: z.string().optional(),
    input: z.unknown().optional(),
  }),
  z.object({
    type: z.string().endsWith('tool_result'),
    tool_use_id: z.string(),
    content: z.unknown().optional(),
    is_error: z.boolean().nullish(),
  }),
  z.object({ type: z.literal('redacted_thinking') }).transform(() => ({ thinking: '[redacted]' })),
  z.looseObject({ type: z.string() }).transform(({ type, ...fields }) => ({ type, other: fields })),
])

const ModelUsage = z.object({
  inputTokens: tokenCount,
  outputTokens: tokenCount,
  cacheReadInputTokens: tokenCount,
  cacheCreationInputTokens: tokenCount,
  costUSD: cost,
})

const id = z.string().max(200).default('').catch('')

const Usages = z.object({
  input_tokens: tokenCount,
  cache_creation_input_tokens: tokenCount,
  cache_read_input_tokens: tokenCount,
  output_tokens: tokenCount,
})

const Result = z.object({
  type: z.literal('result'),
  total_cost_usd: cost,
  session_id: id,
  result: z.string().nullish().catch(null),
  errors: z.array(z.string()).max(maxItems).default([]).catch([]),
  usage: Usages.optional(),
  modelUsage: z
    .record(z.string(), z.unknown())
    .refine((models) => Object.keys(models).length <= maxItems)
    .pipe(z.record(z.string(), ModelUsage))
    .default({})
    .catch({}),
})
type Result = z.output<typeof Result>

const Message = z.object({
  id,
  model: z.string().max(200).optional().catch(undefined),
  content: z.union([z.string(), z.array(Content).max(maxItems)]),
  usage: Usages.nullish().catch(null),
})
type Message = z.output<typeof Message>

const silentTypes = [
  'system',
  'stream_event',
  'control_request',
  'control_response',
  'control_cancel_request',
  'keep_alive',
  'rate_limit_event',
  'tool_progress',
  'tool_use_summary',
  'auth_status',
  'prompt_suggestion',
  'summary',
  'file-history-snapshot',
  'queue-operation',
] as const

const ClaudeEvent = z.union([
  z.object({
    type: z.enum(['assistant', 'user']),
    message: Message,
    timestamp: Timestamp.nullable().catch(null).default(null),
    parent_tool_use_id: z.string().nullish().catch(null),
    session_id: id,
  }),
  Result,
  silent(...silentTypes),
])

/**
 * Parses the output of `claude --output-format stream-json`, and of `json`. A `result` sums up its session so far; until
 * there is one, each message says what its own call used.
 */
export function createClaudeParser(): LineParser {
  let hasSpoken = false
  return jsonLines(ClaudeEvent, (event): ParsedLine => {
    if ('message' in event) {
      hasSpoken ||= event.type === 'assistant'
      const shared = {
        ts: event.timestamp,
        ...(event.parent_tool_use_id && { parentCallId: event.parent_tool_use_id }),
      }
      const turns = readMessage(event.type, event.message).map((turn) => ({ ...turn, ...shared }))
      return { turns, usages: event.type === 'assistant' ? usageOfCall(event.session_id, event.message) : [] }
    }
    if (!('modelUsage' in event)) return { turns: [] }
    const turns = event.errors.map((error) => clientMessage(error))
    // Without its messages, the answer is only here.
    if (!hasSpoken && event.result) turns.unshift({ ts: null, role: 'assistant', kind: 'message', text: event.result })
    hasSpoken = false
    return { turns, usages: usagesOf(event) }
  })
}

/** `modelUsage` also counts subagents and small helper models, like `total_cost_usd`; `usage` is that of the last turn. */
function usagesOf({ usage, modelUsage, total_cost_usd: costUsd, session_id: totalOf }: Result): Usage[] {
  const models = Object.entries(modelUsage).map(([model, share]) => ({
    model,
    ...toTokens(share),
    costUsd: share.costUSD,
  }))
  if (models.length > 0) return [{ ...sumOf(models), totalTokens: null, costUsd, totalOf, models }]
  const total = { inputTokens: null, outputTokens: null, totalTokens: null, costUsd, totalOf }
  return usage ? [{ ...toTokens(asModelUsage(usage)), totalTokens: null, costUsd: null }, total] : [total]
}

function usageOfCall(of: string, { id, model, usage }: Message): Usage[] {
  // Messages of the client itself name no real model.
  if (!usage || id === '' || model === undefined || model.startsWith('<')) return []
  const tokens = toTokens(asModelUsage(usage))
  return [{ ...tokens, totalTokens: null, costUsd: null, call: { of, id }, models: [{ model, ...tokens }] }]
}

function toTokens(share: Omit<z.output<typeof ModelUsage>, 'costUSD'>) {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } = share
  return {
    inputTokens: inputTokens + cacheReadInputTokens + cacheCreationInputTokens,
    outputTokens,
    cacheReadTokens: cacheReadInputTokens,
    cacheWriteTokens: cacheCreationInputTokens,
  }
}

function sumOf(shares: readonly ReturnType<typeof toTokens>[]) {
  const sum = (field: keyof ReturnType<typeof toTokens>) => shares.reduce((total, share) => total + share[field], 0)
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
  }
}

const asModelUsage = (usage: z.output<typeof Usages>) => ({
  inputTokens: usage.input_tokens,
  outputTokens: usage.output_tokens,
  cacheReadInputTokens: usage.cache_read_input_tokens,
  cacheCreationInputTokens: usage.cache_creation_input_tokens,
})

function readMessage(role: 'assistant' | 'user', message: Message): ParsedTurn[] {
  if (typeof message.content === 'string') return [{ ts: null, role, kind: 'message', text: message.content }]
  return message.content.flatMap((part): ParsedTurn[] => {
    if ('text' in part) return [{ ts: null, role, kind: 'message', text: part.text }]
    if ('thinking' in part) return [{ ts: null, role, kind: 'reasoning', text: part.thinking }]
    if ('name' in part) {
      const tool = part.server_name === undefined ? part.name : `${part.server_name}.${part.name}`
      return [toolCall({ tool, input: part.input, callId: part.id })]
    }
    if ('other' in part)
      return [{ ts: null, role, kind: 'message', ...toContent([{ type: part.type, ...part.other }]) }]
    return [toolResult({ content: part.content ?? '', failed: part.is_error === true, callId: part.tool_use_id })]
  })
}
