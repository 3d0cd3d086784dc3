import { z } from 'zod'

import { clientMessage, cost, jsonLines, maxItems, printedId, toText } from '#platform/queue/agent-lines/json-line.ts'
import type { LineParser, ParsedTurn, Usage } from '#platform/queue/agent-lines/parsed-line.ts'
import { toolCall, toolResult } from '#platform/queue/agent-lines/tool-turns.ts'
import { commandIn, printedIn } from './fenced-commands.ts'

const count = z.int().min(0).nullish().catch(null)

const Extra = z.object({
  // In seconds.
  timestamp: z
    .number()
    .min(0)
    .max(8.64e12)
    .transform((seconds): string | null => new Date(seconds * 1000).toISOString())
    .catch(null)
    .default(null),
  actions: z
    .array(z.object({ command: z.string(), tool_call_id: printedId }))
    .max(maxItems)
    .optional()
    .catch(undefined),
  response: z
    .object({ usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(null) })
    .nullish()
    .catch(null),
  returncode: z.int().nullish().catch(null),
  raw_output: z.string().nullish().catch(null),
  exit_status: z.string().max(200).nullish().catch(null),
})

const Message = z.object({
  role: z.string(),
  content: z.unknown().optional(),
  reasoning_content: z.string().nullish().catch(null),
  tool_call_id: printedId,
  extra: Extra.prefault({}).catch(() => Extra.parse({})),
})
type Message = z.output<typeof Message>

const Trajectory = z.object({
  trajectory_format: z.string(),
  info: z
    .object({
      model_stats: z.object({ instance_cost: cost }).prefault({}).catch({ instance_cost: null }),
      exit_status: z.string().max(200).nullish().catch(null),
    })
    .prefault({})
    .catch({ model_stats: { instance_cost: null } }),
  messages: z.array(Message).max(maxItems),
})

/** Parses the trajectory that `mini --output` writes, printed once the agent has ended. */
export const createMiniParser = (): LineParser =>
  jsonLines(Trajectory, ({ messages, info }) => {
    const ids = createCallIds()
    const turns = messages.flatMap((message) => turnsOf(message, ids))
    const status = info.exit_status
    if (status && status !== 'Submitted') turns.push(clientMessage(`The agent ended: ${status}`))
    return { turns, usages: usagesOf(messages, info.model_stats.instance_cost) }
  })

/** Without tool calls of the API, the commands of an answer and their outputs belong together in order. */
function createCallIds() {
  let calls = 0
  let waiting: string[] = []
  return {
    start(printed: string | undefined) {
      calls += 1
      const id = printed ?? `command ${calls}`
      waiting.push(id)
      return id
    },
    end: (printed: string | undefined) => printed ?? waiting.shift(),
    clear: () => {
      waiting = []
    },
  }
}

function turnsOf(message: Message, ids: ReturnType<typeof createCallIds>): ParsedTurn[] {
  const { role, content, reasoning_content: reasoning, extra, tool_call_id: callId } = message
  const { timestamp: ts, actions, returncode, raw_output } = extra
  const text = content == null ? '' : toText(content)
  if (role === 'assistant') {
    ids.clear()
    const commands = actions ?? commandsIn(text)
    return [
      ...(reasoning ? [{ ts, role, kind: 'reasoning', text: reasoning } as const] : []),
      ...(text ? [{ ts, role, kind: 'message', text } as const] : []),
      ...commands.map(({ command, tool_call_id }) =>
        toolCall({ ts, tool: 'bash', input: { command }, callId: ids.start(tool_call_id) }),
      ),
    ]
  }
  const printed = printedIn(text)
  const code = returncode ?? printed?.code ?? null
  if (code !== null)
    return [
      toolResult({
        ts,
        tool: 'bash',
        content: raw_output ?? printed?.output ?? text,
        failed: code !== 0,
        callId: ids.end(callId),
      }),
    ]
  if (role === 'exit') return text ? [{ ts, role: 'assistant', kind: 'output', text }] : []
  return [{ ts, role: role === 'user' ? 'user' : 'system', kind: 'message', text }]
}

function commandsIn(text: string): { command: string; tool_call_id?: string | undefined }[] {
  const command = commandIn(text)
  return command === null ? [] : [{ command }]
}

/** Answers that say nothing of their tokens make the sum unknown. */
function usagesOf(messages: readonly Message[], instanceCost: number | null): Usage[] {
  const answers = messages.filter(({ role }) => role === 'assistant')
  const sum = (field: 'prompt_tokens' | 'completion_tokens') => {
    const counts = answers.map(({ extra }) => extra.response?.usage?.[field] ?? null)
    return counts.length === 0 || counts.includes(null)
      ? null
      : counts.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  }
  const [inputTokens, outputTokens] = [sum('prompt_tokens'), sum('completion_tokens')]
  const costUsd = instanceCost === 0 ? null : instanceCost
  if (inputTokens === null && outputTokens === null && costUsd === null) return []
  return [{ inputTokens, outputTokens, totalTokens: null, costUsd }]
}
