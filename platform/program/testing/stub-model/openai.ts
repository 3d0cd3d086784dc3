import { z } from 'zod'

import { type Conversation, Named, type Played, type Step, type Told, type Tokens } from './script.ts'
import { toolCall } from './tool-calls.ts'

const Item = z.looseObject({
  type: z.string().default('message'),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]).nullish(),
})

/** A namespace has tools of its own. */
const Tool = Named.extend({ tools: z.array(Named).default([]) })
type Tool = z.output<typeof Tool>

const namesOf = (tools: readonly Tool[]) =>
  tools.flatMap(({ name, tools: inner }) => [name, ...inner.map((tool) => tool.name)])

export const ResponsesRequest = z.object({
  model: z.string(),
  tools: z.array(Tool).default([]),
  input: z.union([z.string(), z.array(Item)]),
})
type ResponsesRequest = z.output<typeof ResponsesRequest>

export const conversationOfInput = ({ tools, input }: ResponsesRequest): Conversation => ({
  tools: namesOf(tools),
  told: typeof input === 'string' ? [{ prompt: input }] : input.flatMap(toldBy),
})

function toldBy({ type, role, content, output }: z.output<typeof Item>): Told[] {
  if (type.endsWith('_call_output')) return [{ result: typeof output === 'string' ? output : JSON.stringify(output) }]
  if (type !== 'message' || role !== 'user') return []
  const texts = typeof content === 'string' ? [content] : (content ?? []).flatMap(({ text }) => text ?? [])
  return texts.map((prompt) => ({ prompt }))
}

const usageOf = ({ input, cachedInput, output, reasoning }: Tokens) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cachedInput },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
})

/** A response of the Responses API, as the events that it streams. */
export function answerResponses({ model, tools }: ResponsesRequest, { step, results, tokens, id }: Played) {
  const output = itemsOf(step, tools, results, id)
  const response = { id: `resp_${id}`, object: 'response', created_at: 1_700_000_000, model }
  return {
    events: [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...output.flatMap((item, index) => [
        { type: 'response.output_item.added', output_index: index, item },
        ...deltas(item, index),
        { type: 'response.output_item.done', output_index: index, item },
      ]),
      { type: 'response.completed', response: { ...response, status: 'completed', output, usage: usageOf(tokens) } },
    ],
  }
}

const itemsOf = (
  { thinking, acts = [], text }: Step,
  tools: readonly Tool[],
  results: readonly string[],
  id: number,
) => [
  ...(thinking === undefined
    ? []
    : [{ type: 'reasoning' as const, id: `rs_${id}`, summary: [{ type: 'summary_text', text: thinking }] }]),
  ...(text === undefined ? [] : [message(text, id)]),
  ...acts.map((act, index) => {
    const { name, input } = toolCall(namesOf(tools), act, results)
    const namespace = tools.find((tool) => tool.tools.some((inner) => inner.name === name))?.name
    return {
      type: 'function_call' as const,
      id: `fc_${id}_${index}`,
      call_id: `call_${id}_${index}`,
      name,
      ...(namespace !== undefined && { namespace }),
      arguments: JSON.stringify(input),
      status: 'completed',
    }
  }),
]

const message = (text: string, id: number) => ({
  type: 'message' as const,
  id: `msg_${id}`,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})

function deltas(item: ReturnType<typeof itemsOf>[number], index: number) {
  const place = { item_id: item.id, output_index: index }
  if (item.type === 'message')
    return item.content.map(({ text }) => ({
      type: 'response.output_text.delta',
      ...place,
      content_index: 0,
      delta: text,
    }))
  if (item.type !== 'reasoning') return []
  const part = { ...place, summary_index: 0 }
  return item.summary.flatMap(({ text }) => [
    { type: 'response.reasoning_summary_part.added', ...part, part: { type: 'summary_text', text: '' } },
    { type: 'response.reasoning_summary_text.delta', ...part, delta: text },
    { type: 'response.reasoning_summary_text.done', ...part, text },
    { type: 'response.reasoning_summary_part.done', ...part, part: { type: 'summary_text', text } },
  ])
}
