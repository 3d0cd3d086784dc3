import { z } from 'zod'

import { type Conversation, Named, type Played, type Step, type Told, type Tokens } from './script.ts'
import { toolCall } from './tool-calls.ts'

const Part = z.object({ type: z.string(), text: z.string().optional(), content: z.unknown().optional() })

export const MessagesRequest = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  tools: z.array(Named).default([]),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(Part)]) })),
})
type MessagesRequest = z.output<typeof MessagesRequest>

export const conversationOfMessages = ({ tools, messages }: MessagesRequest): Conversation => ({
  tools: tools.map(({ name }) => name),
  told: messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content))
    .flatMap(({ type, text, content }): Told[] => {
      if (type === 'tool_result') return [{ result: JSON.stringify(content) ?? '' }]
      return text === undefined ? [] : [{ prompt: text }]
    }),
})

const usageOf = ({ input, cachedInput, output }: Tokens) => ({
  input_tokens: input - cachedInput,
  cache_read_input_tokens: cachedInput,
  cache_creation_input_tokens: 0,
  output_tokens: output,
})

/** A response of the Messages API: `events` to stream, or `whole` at once. */
export function answerMessages({ model, stream, tools }: MessagesRequest, { step, results, tokens, id }: Played) {
  const usage = usageOf(tokens)
  const toolNames = tools.map(({ name }) => name)
  const content = contentOf(step, toolNames, results, id)
  const stopReason = step.acts ? 'tool_use' : 'end_turn'
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

const contentOf = (
  { thinking, acts = [], text }: Step,
  tools: readonly string[],
  results: readonly string[],
  id: number,
) => [
  ...(thinking === undefined ? [] : [{ type: 'thinking' as const, thinking, signature: 'c3R1Yg==' }]),
  ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
  ...acts.map((act, index) => ({
    type: 'tool_use' as const,
    id: `toolu_${id}_${index}`,
    ...toolCall(tools, act, results),
  })),
]

function streamed(part: ReturnType<typeof contentOf>[number], index: number) {
  const delta = (value: object) => ({ type: 'content_block_delta', index, delta: value })
  const start = (block: object) => ({ type: 'content_block_start', index, content_block: block })
  const stop = { type: 'content_block_stop', index }
  if (part.type === 'text')
    return [start({ type: 'text', text: '' }), delta({ type: 'text_delta', text: part.text }), stop]
  if (part.type === 'thinking')
    return [
      start({ type: 'thinking', thinking: '', signature: '' }),
      delta({ type: 'thinking_delta', thinking: part.thinking }),
      delta({ type: 'signature_delta', signature: part.signature }),
      stop,
    ]
  return [
    start({ ...part, input: {} }),
    delta({ type: 'input_json_delta', partial_json: JSON.stringify(part.input) }),
    stop,
  ]
}
