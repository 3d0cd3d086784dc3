import { z } from 'zod'

import { jsonLine, toText } from './json-line.ts'
import type { LineParser, ParsedLine, ParsedTurn, Usage } from './line-parser.ts'

const tokens = z.int().min(0).catch(0).default(0)

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

const Message = z.object({ content: z.union([z.string(), z.array(Content)]) })

const ClaudeEvent = z.union([
  z.object({ type: z.enum(['assistant', 'user']), message: Message }),
  z.object({
    type: z.literal('result'),
    total_cost_usd: z.number().min(0).nullish(),
    usage: z
      .object({
        input_tokens: tokens,
        cache_creation_input_tokens: tokens,
        cache_read_input_tokens: tokens,
        output_tokens: tokens,
      })
      .optional(),
  }),
  z.object({ type: z.string() }),
])

/** What `claude --output-format stream-json` prints. Usage is taken from `result`, which sums up the conversation. */
export function createClaudeParser(): LineParser {
  const toolNames = new Map<string, string>()
  return jsonLine(ClaudeEvent, (event): ParsedLine => {
    if ('message' in event) return { turns: readMessage(event.type, event.message, toolNames) }
    if ('usage' in event || 'total_cost_usd' in event) return { turns: [], usage: readUsage(event) }
    return { turns: [] }
  })
}

function readUsage(result: { usage?: Record<string, number> | undefined; total_cost_usd?: number | null }): Usage {
  const { usage } = result
  const inputTokens = usage
    ? (usage['input_tokens'] ?? 0) +
      (usage['cache_creation_input_tokens'] ?? 0) +
      (usage['cache_read_input_tokens'] ?? 0)
    : null
  return {
    inputTokens,
    outputTokens: usage?.['output_tokens'] ?? null,
    totalTokens: null,
    costUsd: result.total_cost_usd ?? null,
  }
}

function readMessage(role: 'assistant' | 'user', message: z.output<typeof Message>, toolNames: Map<string, string>) {
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

const TextParts = z.array(z.object({ type: z.literal('text'), text: z.string() }))

function resultText(content: unknown) {
  const parts = TextParts.safeParse(content)
  return parts.success ? parts.data.map((part) => part.text).join('\n') : toText(content ?? '')
}
