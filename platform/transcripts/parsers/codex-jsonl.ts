import { z } from 'zod'

import { clientMessage, jsonLines, maxItems, silent, tokenCount, toText } from './json-line.ts'
import { createOpenCalls } from './open-calls.ts'
import type { LineParser, ParsedLine, ParsedTurn } from './parsed-line.ts'
import { toolCall, toolResult } from './tool-turns.ts'

/** A call of a tool, as far as it is known. `isDone` is false for a call without a result. */
type Call = { tool: string; input: unknown; output: unknown; failed: boolean; isDone: boolean }

const maxIdCharacters = 200

const id = z.string().optional().catch(undefined)

const Item = z.union([
  z
    .object({ id, type: z.enum(['agent_message', 'reasoning', 'plan']), text: z.string() })
    .transform(({ id, type, text }) => ({
      id,
      turn: { ts: null, role: 'assistant', kind: type === 'reasoning' ? 'reasoning' : 'message', text } as ParsedTurn,
    })),
  z
    .object({ id, type: z.literal('error'), message: z.string() })
    .transform(({ id, message }) => ({ id, turn: clientMessage(message) })),
  z
    .object({
      id,
      type: z.literal('command_execution'),
      command: z.unknown().optional(),
      aggregated_output: z.string().nullish(),
      exit_code: z.int().nullish(),
      status: z.string().optional(),
    })
    .transform((item) => ({ id: item.id, call: commandCall(item) })),
  z
    .object({
      id,
      type: z.enum(['mcp_tool_call', 'file_change', 'web_search', 'collab_tool_call']),
      server: z.string().optional(),
      tool: z.string().optional(),
      status: z.string().optional(),
      arguments: z.unknown().optional(),
      changes: z.unknown().optional(),
      query: z.unknown().optional(),
      prompt: z.unknown().optional(),
      result: z.unknown().optional(),
      error: z.unknown().optional(),
    })
    .transform((item) => ({ id: item.id, call: otherCall(item) })),
  z
    .object({ id, type: z.literal('todo_list'), items: z.array(z.unknown()).max(maxItems) })
    .transform(({ id, items }) => ({ id, todos: items })),
])
type Item = z.output<typeof Item>

type Command = {
  command?: unknown
  aggregated_output?: string | null | undefined
  exit_code?: number | null | undefined
  status?: string | undefined
}

function commandCall({ command, aggregated_output, exit_code, status }: Command): Call {
  // Codex completes what is still running when a turn ends, without an exit code.
  const isAbandoned = status === 'completed' && exit_code === null
  const output = aggregated_output ?? ''
  return {
    tool: 'shell',
    input: command,
    output: isAbandoned ? [output, '[no exit code: the command had not ended]'].filter(Boolean).join('\n') : output,
    failed: isAbandoned || (exit_code ?? 0) !== 0 || status === 'failed' || status === 'declined',
    isDone: status !== 'in_progress',
  }
}

type OtherCall = {
  [Field in 'server' | 'tool' | 'status']?: string | undefined
} & { type: string } & Partial<Record<'arguments' | 'changes' | 'query' | 'prompt' | 'result' | 'error', unknown>>

const otherCall = (item: OtherCall): Call => ({
  tool: [item.server, item.tool ?? item.type].filter(Boolean).join('.'),
  input: item.arguments ?? item.changes ?? item.query ?? item.prompt ?? '',
  output: item.error ?? item.result ?? '',
  failed: item.status === 'failed',
  isDone: item.status !== 'in_progress',
})

const CodexEvent = z.union([
  z.object({ type: z.enum(['item.started', 'item.updated', 'item.completed']), item: Item }),
  // What an item is counts once it is completed.
  silent('item.started', 'item.updated', 'item.plan.delta', 'turn.started'),
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
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({ type: z.literal('turn.completed'), usage: z.null().optional() }),
])

/**
 * Parses the output of `codex exec --json`. A call is a turn once it is started, its result once it is completed. The
 * usage of a turn is that of its thread so far. Output tokens include reasoning tokens.
 */
export function createCodexParser(): LineParser {
  const items = createItems()
  let thread = ''
  return jsonLines(CodexEvent, (event): ParsedLine => {
    if ('item' in event) return { turns: items.read(event.type, event.item) }
    if ('error' in event) return { turns: [clientMessage(event.error.message)] }
    if ('message' in event) return { turns: [clientMessage(event.message)] }
    if ('thread_id' in event) {
      thread = event.thread_id.slice(0, maxIdCharacters)
      items.startProcess()
    }
    if (!('usage' in event) || !event.usage) return { turns: [] }
    const { usage } = event
    return {
      turns: [],
      usages: [
        {
          totalOf: thread,
          inputTokens: usage.input_tokens,
          outputTokens: usage.output_tokens,
          totalTokens: null,
          costUsd: null,
          cacheReadTokens: usage.cached_input_tokens,
          cacheWriteTokens: usage.cache_write_input_tokens,
        },
      ],
    }
  })
}

/** Items have numbers that start again in every process. */
function createItems() {
  const open = createOpenCalls()
  let processes = 0
  let todos = ''

  const callTurns = (type: string, printed: string | undefined, { tool, input, output, failed, isDone }: Call) => {
    const callId = printed && processes > 1 ? `${processes}/${printed}` : printed
    const isEnd = type === 'item.completed' && isDone
    const isNew = isEnd ? !open.end(callId) : open.start(callId)
    return [
      ...(isNew ? [toolCall({ tool, input, callId })] : []),
      ...(isEnd ? [toolResult({ tool, content: output, failed, callId })] : []),
    ]
  }
  /** Every change of the list is a call of its own, without a result that Codex would print. */
  const todoTurns = (list: readonly unknown[]) => {
    const text = toText(list)
    if (text === todos) return []
    todos = text
    return [
      toolCall({ tool: 'todo_list', input: { items: list } }),
      toolResult({ tool: 'todo_list', content: '', failed: false }),
    ]
  }
  return {
    startProcess() {
      processes += 1
      open.clear()
      todos = ''
    },
    read(type: string, item: Item): ParsedTurn[] {
      if ('turn' in item) return type === 'item.completed' ? [item.turn] : []
      if ('todos' in item) return todoTurns(item.todos)
      return 'call' in item ? callTurns(type, item.id, item.call) : []
    },
  }
}
