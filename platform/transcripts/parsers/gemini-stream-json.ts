import { z } from 'zod'

import { Timestamp } from '#contract/wire/query-values.ts'
import { clientMessage, jsonLines, maxTurnCharacters, tokenCount, toText } from './json-line.ts'
import type { LineParser, ParsedLine, ParsedTurn } from './parsed-line.ts'
import { toolCall, toolResult } from './tool-turns.ts'

const timestamp = Timestamp.nullable().catch(null).default(null)

const Stats = z.object({
  total_tokens: z.int().min(0),
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  cached: tokenCount,
})

const GeminiEvent = z.union([
  z.object({
    type: z.literal('message'),
    timestamp,
    role: z.enum(['user', 'assistant']),
    content: z.string(),
    delta: z.boolean().optional(),
  }),
  z.object({
    type: z.literal('tool_use'),
    timestamp,
    tool_name: z.string(),
    tool_id: z.string(),
    parameters: z.unknown().optional(),
  }),
  z.object({
    type: z.literal('tool_result'),
    timestamp,
    tool_id: z.string(),
    status: z.string(),
    output: z.unknown().optional(),
    error: z.object({ message: z.string() }).optional().catch(undefined),
  }),
  z.object({ type: z.literal('error'), timestamp, message: z.string() }),
  z.object({
    type: z.literal('result'),
    timestamp,
    error: z.object({ message: z.string() }).optional().catch(undefined),
    stats: Stats.optional().catch(undefined),
  }),
  z.object({ type: z.string() }),
])
type GeminiEvent = z.output<typeof GeminiEvent>

/**
 * Parses the output of `gemini --output-format stream-json` and joins message pieces (`delta`). The format has no
 * reasoning turns and reports a shell command that exits non-zero as a success.
 */
export function createGeminiParser(): LineParser {
  let open: ParsedTurn | null = null
  const close = () => {
    const turns = open ? [open] : []
    open = null
    return turns
  }
  return jsonLines(
    GeminiEvent,
    (event): ParsedLine => {
      if ('content' in event && event.delta && event.role === 'assistant') {
        if (open) open.text += open.text.length > maxTurnCharacters ? '' : event.content
        else open = { ts: event.timestamp, role: 'assistant', kind: 'message', text: event.content }
        return { turns: [] }
      }
      const { turns, ...rest } = readEvent(event)
      return { ...rest, turns: [...close(), ...turns] }
    },
    close,
  )
}

function readEvent(event: GeminiEvent): ParsedLine {
  if ('content' in event)
    return { turns: [{ ts: event.timestamp, role: event.role, kind: 'message', text: event.content }] }
  if ('tool_name' in event) {
    const { timestamp: ts, tool_name: tool, tool_id: callId, parameters: input } = event
    return { turns: [toolCall({ ts, tool, callId, input })] }
  }
  if ('tool_id' in event) {
    const { timestamp: ts, tool_id: callId, status, output, error } = event
    return {
      turns: [toolResult({ ts, callId, text: toText(output ?? error?.message ?? ''), failed: status === 'error' })],
    }
  }
  if ('message' in event) return { turns: [clientMessage(event.message, event.timestamp)] }
  if (!('stats' in event) && !('error' in event)) return { turns: [] }
  return readResult(event)
}

function readResult({ stats, error, timestamp: ts }: Extract<GeminiEvent, { type: 'result' }>): ParsedLine {
  const turns = error ? [clientMessage(error.message, ts)] : []
  if (!stats) return { turns }
  return {
    turns,
    usage: {
      inputTokens: stats.input_tokens,
      // `output_tokens` excludes thinking tokens, which cost the same as output; the total includes them.
      outputTokens: Math.max(stats.output_tokens, stats.total_tokens - stats.input_tokens),
      totalTokens: stats.total_tokens,
      costUsd: null,
      cacheReadTokens: stats.cached,
    },
  }
}
