import { z } from 'zod'

import { Timestamp } from '#contract/wire/query-values.ts'
import { clientMessage, jsonLines, maxItems, tokenCount, toText } from './json-line.ts'
import type { LineParser, ParsedLine, ParsedTurn, Usage } from './parsed-line.ts'
import { createToolNames, type ToolNames } from './tool-names.ts'

const Content = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown().optional() }),
  z.object({
    type: z.literal('tool_result'),
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
  }),
  Result,
  z.object({ type: z.string() }),
])

/**
 * Parses the output of `claude --output-format stream-json`. Usage comes from `result`, which sums up the conversation.
 */
export function createClaudeParser(): LineParser {
  const toolNames = createToolNames()
  return jsonLines(ClaudeEvent, (event): ParsedLine => {
    if ('message' in event) {
      const turns = readMessage(event.type, event.message, toolNames)
      return { turns: turns.map((turn) => ({ ...turn, ts: event.timestamp })) }
    }
    if (!('modelUsage' in event)) return { turns: [] }
    return { turns: event.errors.map((error) => clientMessage(error)), usage: readUsage(event) }
  })
}

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

function readMessage(role: 'assistant' | 'user', message: z.output<typeof Message>, toolNames: ToolNames) {
  if (typeof message.content === 'string') return [{ ts: null, role, kind: 'message' as const, text: message.content }]
  return message.content.flatMap((part): ParsedTurn[] => {
    if ('text' in part) return [{ ts: null, role, kind: 'message', text: part.text }]
    if ('thinking' in part) return [{ ts: null, role, kind: 'reasoning', text: part.thinking }]
    if ('input' in part && 'name' in part) {
      toolNames.set(part.id, part.name)
      return [{ ts: null, role, kind: 'tool_call', tool: part.name, text: toText(part.input) }]
    }
    if (!('tool_use_id' in part)) return []
    const tool = toolNames.get(part.tool_use_id)
    return [
      {
        ts: null,
        role: 'tool',
        kind: 'tool_result',
        text: resultText(part.content),
        ...(tool === undefined ? {} : { tool }),
        ...(part.is_error ? { failed: true } : {}),
      },
    ]
  })
}

const TextParts = z.array(z.object({ type: z.literal('text'), text: z.string() })).max(maxItems)

function resultText(content: unknown) {
  const parts = TextParts.safeParse(content)
  return parts.success ? parts.data.map((part) => part.text).join('\n') : toText(content ?? '')
}
