import { z } from 'zod'

import { jsonLine, toText } from './json-line.ts'
import type { LineParser, ParsedLine, ParsedTurn } from './line-parser.ts'

const Item = z.union([
  z.object({ type: z.enum(['agent_message', 'reasoning', 'error']), text: z.string() }),
  z.object({
    type: z.literal('command_execution'),
    command: z.unknown(),
    aggregated_output: z.string().default(''),
    exit_code: z.int().nullish(),
  }),
  z.object({
    type: z.enum(['mcp_tool_call', 'file_change', 'web_search']),
    tool: z.string().optional(),
    status: z.string().optional(),
    arguments: z.unknown(),
    changes: z.unknown(),
    query: z.unknown(),
    result: z.unknown(),
    error: z.unknown(),
  }),
  z.object({ type: z.string() }),
])

const CodexEvent = z.union([
  z.object({ type: z.literal('item.completed'), item: Item }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z.object({ input_tokens: z.int().min(0), output_tokens: z.int().min(0) }),
  }),
  z.object({ type: z.string() }),
])

/** What `codex exec --json` prints: an item counts when it has completed. */
export const createCodexParser = (): LineParser =>
  jsonLine(CodexEvent, (event): ParsedLine => {
    if ('item' in event) return { turns: readItem(event.item) }
    if (!('usage' in event)) return { turns: [] }
    const { input_tokens: inputTokens, output_tokens: outputTokens } = event.usage
    return { turns: [], usage: { inputTokens, outputTokens, totalTokens: null, costUsd: null } }
  })

function readItem(item: z.output<typeof Item>): ParsedTurn[] {
  if ('text' in item)
    return [{ ts: null, role: 'assistant', kind: item.type === 'reasoning' ? 'reasoning' : 'message', text: item.text }]
  if ('command' in item)
    return toolTurns('shell', toText(item.command), item.aggregated_output, (item.exit_code ?? 0) !== 0)
  if (!('result' in item)) return []
  const input = item.arguments ?? item.changes ?? item.query ?? ''
  return toolTurns(
    item.tool ?? item.type,
    toText(input),
    toText(item.error ?? item.result ?? ''),
    item.status === 'failed',
  )
}

const toolTurns = (tool: string, input: string, output: string, failed: boolean): ParsedTurn[] => [
  { ts: null, role: 'assistant', kind: 'tool_call', tool, text: input },
  { ts: null, role: 'tool', kind: 'tool_result', tool, text: output, ...(failed ? { failed } : {}) },
]
