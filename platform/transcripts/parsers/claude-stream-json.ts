import { z } from 'zod'

import { Timestamp } from '#contract/wire/query-values.ts'
import { clientMessage, jsonLines, maxItems, tokenCount, toText } from './json-line.ts'
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
  z.object({ type: z.string() }),
])

const Message = z.object({ content: z.union([z.string(), z.array(Content).max(maxItems)]) })

const ModelUsage = z.object({
  inputTokens: tokenCount,
  outputTokens: tokenCount,
  cacheReadInputTokens: tokenCount,
  cacheCreationInputTokens: tokenCount,
})

const Usages = z.object({
  input_tokens: tokenCount,
  cache_creation_input_tokens: tokenCount,
  cache_read_input_tokens: tokenCount,
  output_tokens: tokenCount,
})

const Result = z.object({
  type: z.literal('result'),
  total_cost_usd: z.number().min(0).nullish(),
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

const ClaudeEvent = z.union([
  z.object({
    type: z.enum(['assistant', 'user']),
    message: Message,
    timestamp: Timestamp.nullable().catch(null).default(null),
    parent_tool_use_id: z.string().nullish().catch(null),
  }),
  Result,
  z.object({ type: z.string() }),
])

/**
 * Parses the output of `claude --output-format stream-json`. Usage comes from `result`, which sums up the conversation.
 */
export const createClaudeParser = (): LineParser =>
  jsonLines(ClaudeEvent, (event): ParsedLine => {
    if ('message' in event) {
      const shared = {
        ts: event.timestamp,
        ...(event.parent_tool_use_id && { parentCallId: event.parent_tool_use_id }),
      }
      return { turns: readMessage(event.type, event.message).map((turn) => ({ ...turn, ...shared })) }
    }
    if (!('modelUsage' in event)) return { turns: [] }
    return { turns: event.errors.map((error) => clientMessage(error)), usage: readUsage(event) }
  })

/** `modelUsage` also counts subagents and small helper models, like `total_cost_usd`; `usage` does not. */
function readUsage({ usage, modelUsage, total_cost_usd }: Result): Usage {
  const costUsd = total_cost_usd ?? null
  const perModel = Object.values(modelUsage)
  const parts = perModel.length > 0 || !usage ? perModel : [asModelUsage(usage)]
  if (parts.length === 0) return { inputTokens: null, outputTokens: null, totalTokens: null, costUsd }
  const sum = (key: keyof z.output<typeof ModelUsage>) => parts.reduce((total, part) => total + part[key], 0)
  const cacheReadTokens = sum('cacheReadInputTokens')
  const cacheWriteTokens = sum('cacheCreationInputTokens')
  return {
    inputTokens: sum('inputTokens') + cacheReadTokens + cacheWriteTokens,
    outputTokens: sum('outputTokens'),
    totalTokens: null,
    costUsd,
    cacheReadTokens,
    cacheWriteTokens,
  }
}

const asModelUsage = (usage: z.output<typeof Usages>): z.output<typeof ModelUsage> => ({
  inputTokens: usage.input_tokens,
  outputTokens: usage.output_tokens,
  cacheReadInputTokens: usage.cache_read_input_tokens,
  cacheCreationInputTokens: usage.cache_creation_input_tokens,
})

function readMessage(role: 'assistant' | 'user', message: z.output<typeof Message>): ParsedTurn[] {
  if (typeof message.content === 'string') return [{ ts: null, role, kind: 'message', text: message.content }]
  return message.content.flatMap((part): ParsedTurn[] => {
    if ('text' in part) return [{ ts: null, role, kind: 'message', text: part.text }]
    if ('thinking' in part) return [{ ts: null, role, kind: 'reasoning', text: part.thinking }]
    if ('name' in part) {
      const tool = part.server_name === undefined ? part.name : `${part.server_name}.${part.name}`
      return [toolCall({ tool, input: part.input, callId: part.id })]
    }
    if (!('tool_use_id' in part)) return []
    return [toolResult({ text: resultText(part.content), failed: part.is_error === true, callId: part.tool_use_id })]
  })
}

const TextParts = z.array(z.object({ type: z.literal('text'), text: z.string() })).max(maxItems)

function resultText(content: unknown) {
  const parts = TextParts.safeParse(content)
  return parts.success ? parts.data.map((part) => part.text).join('\n') : toText(content ?? '')
}
