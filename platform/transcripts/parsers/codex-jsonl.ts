import { z } from 'zod'

import { jsonLine, toText } from './json-line.ts'
import type { LineParser, ParsedLine, ParsedTurn } from './line-parser.ts'

const toolTurns = (tool: string, input: string, output: string, failed: boolean): ParsedTurn[] => [
  { ts: null, role: 'assistant', kind: 'tool_call', tool, text: input },
  { ts: null, role: 'tool', kind: 'tool_result', tool, text: output, ...(failed ? { failed } : {}) },
]

const Item = z.union([
  z
    .object({ type: z.enum(['agent_message', 'reasoning']), text: z.string() })
    .transform(({ type, text }): ParsedTurn[] => [
      { ts: null, role: 'assistant', kind: type === 'reasoning' ? 'reasoning' : 'message', text },
    ]),
  z
    .object({
      type: z.literal('command_execution'),
      command: z.unknown().optional(),
      aggregated_output: z.string().default(''),
      exit_code: z.int().nullish(),
    })
    .transform((item) => toolTurns('shell', toText(item.command), item.aggregated_output, (item.exit_code ?? 0) !== 0)),
  z
    .object({
      type: z.enum(['mcp_tool_call', 'file_change', 'web_search']),
      tool: z.string().optional(),
      status: z.string().optional(),
      arguments: z.unknown().optional(),
      changes: z.unknown().optional(),
      query: z.unknown().optional(),
      result: z.unknown().optional(),
      error: z.unknown().optional(),
    })
    .transform((item) => {
      const input = item.arguments ?? item.changes ?? item.query ?? ''
      const output = item.error ?? item.result ?? ''
      return toolTurns(item.tool ?? item.type, toText(input), toText(output), item.status === 'failed')
    }),
  z.object({ type: z.string() }).transform((): ParsedTurn[] => []),
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
    if ('item' in event) return { turns: event.item }
    if (!('usage' in event)) return { turns: [] }
    const { input_tokens: inputTokens, output_tokens: outputTokens } = event.usage
    return { turns: [], usage: { inputTokens, outputTokens, totalTokens: null, costUsd: null } }
  })
