import { z } from 'zod'

import { clientMessage, jsonLines, tokenCount, toText } from './json-line.ts'
import type { LineParser, ParsedLine, ParsedTurn } from './parsed-line.ts'

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
  z.object({ type: z.literal('error'), message: z.string() }).transform(({ message }) => [clientMessage(message)]),
  z
    .object({
      type: z.literal('command_execution'),
      command: z.unknown().optional(),
      aggregated_output: z.string().nullish(),
      exit_code: z.int().nullish(),
      status: z.string().optional(),
    })
    .transform(({ command, aggregated_output, exit_code, status }) => {
      const failed = (exit_code ?? 0) !== 0 || status === 'failed' || status === 'declined'
      return toolTurns('shell', toText(command), aggregated_output ?? '', failed)
    }),
  z
    .object({
      type: z.enum(['mcp_tool_call', 'file_change', 'web_search', 'collab_tool_call']),
      tool: z.string().optional(),
      status: z.string().optional(),
      arguments: z.unknown().optional(),
      changes: z.unknown().optional(),
      query: z.unknown().optional(),
      prompt: z.unknown().optional(),
      result: z.unknown().optional(),
      error: z.unknown().optional(),
    })
    .transform((item) => {
      const input = item.arguments ?? item.changes ?? item.query ?? item.prompt ?? ''
      const output = item.error ?? item.result ?? ''
      return toolTurns(item.tool ?? item.type, toText(input), toText(output), item.status === 'failed')
    }),
  z.object({ type: z.string() }).transform((): ParsedTurn[] => []),
])

const CodexEvent = z.union([
  z.object({ type: z.literal('item.completed'), item: Item }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z.object({
      input_tokens: z.int().min(0),
      cached_input_tokens: tokenCount,
      cache_write_input_tokens: tokenCount,
      output_tokens: z.int().min(0),
    }),
  }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.string() }),
])

/**
 * Parses the output of `codex exec --json`. An item counts once it is completed. Output tokens include reasoning
 * tokens.
 */
export const createCodexParser = (): LineParser =>
  jsonLines(CodexEvent, (event): ParsedLine => {
    if ('item' in event) return { turns: event.item }
    if ('error' in event) return { turns: [clientMessage(event.error.message)] }
    if ('message' in event) return { turns: [clientMessage(event.message)] }
    if (!('usage' in event)) return { turns: [] }
    const { usage } = event
    return {
      turns: [],
      usage: {
        inputTokens: usage.input_tokens,
        outputTokens: usage.output_tokens,
        totalTokens: null,
        costUsd: null,
        cacheReadTokens: usage.cached_input_tokens,
        cacheWriteTokens: usage.cache_write_input_tokens,
      },
    }
  })
