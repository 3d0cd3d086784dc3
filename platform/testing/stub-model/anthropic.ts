import { z } from 'zod'

import { Named, shellCall, stepFor, tokensPerAnswer } from './script.ts'

const Request = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  tools: z.array(Named).default([]),
  messages: z.array(z.object({ content: z.union([z.string(), z.array(z.object({ type: z.string() }))]) })),
})

const usage = {
  input_tokens: tokensPerAnswer.input - tokensPerAnswer.cachedInput,
  cache_read_input_tokens: tokensPerAnswer.cachedInput,
  cache_creation_input_tokens: 0,
  output_tokens: tokensPerAnswer.output,
}

/** A response of the Messages API: `events` to stream, or `whole` at once. */
export function answerMessages(body: unknown, id: number) {
  const { model, stream, tools, messages } = Request.parse(body)
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  const toolNames = tools.map(({ name }) => name)
  const step = stepFor(toolNames, parts.filter(({ type }) => type === 'tool_result').length)
  const content = 'text' in step ? [{ type: 'text', text: step.text }] : toolUse(step, toolNames, id)
  const stopReason = 'text' in step ? 'end_turn' : 'tool_use'
  const head = { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_sequence: null }
  if (!stream) return { whole: { ...head, content, stop_reason: stopReason, usage } }
  return {
    events: [
      { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
      ...content.flatMap(streamed),
      { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ],
  }
}

type Part =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }

const toolUse = (step: { thinking: string; command: string }, toolNames: readonly string[], id: number): Part[] => [
  { type: 'thinking', thinking: step.thinking, signature: 'c3R1Yg==' },
  { type: 'tool_use', id: `toolu_${id}`, ...shellCall(toolNames, step.command) },
]

function streamed(part: Part | { type: string; text: string }, index: number) {
  const delta = (value: object) => ({ type: 'content_block_delta', index, delta: value })
  const start = (block: object) => ({ type: 'content_block_start', index, content_block: block })
  const stop = { type: 'content_block_stop', index }
  if ('text' in part) return [start({ type: 'text', text: '' }), delta({ type: 'text_delta', text: part.text }), stop]
  if ('thinking' in part)
    return [
      start({ type: 'thinking', thinking: '', signature: '' }),
      delta({ type: 'thinking_delta', thinking: part.thinking }),
      delta({ type: 'signature_delta', signature: part.signature }),
      stop,
    ]
  if (!('input' in part)) return []
  return [
    start({ ...part, input: {} }),
    delta({ type: 'input_json_delta', partial_json: JSON.stringify(part.input) }),
    stop,
  ]
}
