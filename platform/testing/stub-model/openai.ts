import { z } from 'zod'

import { Named, shellCall, stepFor, tokensPerAnswer } from './script.ts'

const Request = z.object({
  model: z.string(),
  tools: z.array(Named).default([]),
  input: z.union([z.string(), z.array(z.object({ type: z.string().default('message') }))]),
})

const usage = {
  input_tokens: tokensPerAnswer.input,
  input_tokens_details: { cached_tokens: tokensPerAnswer.cachedInput },
  output_tokens: tokensPerAnswer.output,
  output_tokens_details: { reasoning_tokens: tokensPerAnswer.reasoning },
  total_tokens: tokensPerAnswer.input + tokensPerAnswer.output,
}

/** A response of the Responses API, as the events that it streams. */
export function answerResponses(body: unknown, id: number) {
  const { model, tools, input } = Request.parse(body)
  const toolNames = tools.map(({ name }) => name)
  const isOutput = ({ type }: { type: string }) => type === 'function_call_output'
  const step = stepFor(toolNames, typeof input === 'string' ? 0 : input.filter(isOutput).length)
  const output = 'text' in step ? [message(step.text, id)] : toolUse(step, toolNames, id)
  const response = { id: `resp_${id}`, object: 'response', created_at: 1_700_000_000, model }
  return {
    events: [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...output.flatMap((item, index) => [
        { type: 'response.output_item.added', output_index: index, item },
        ...deltas(item, index),
        { type: 'response.output_item.done', output_index: index, item },
      ]),
      { type: 'response.completed', response: { ...response, status: 'completed', output, usage } },
    ],
  }
}

const message = (text: string, id: number) => ({
  type: 'message' as const,
  id: `msg_${id}`,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})

const toolUse = (step: { thinking: string; command: string }, toolNames: readonly string[], id: number) => {
  const { name, input } = shellCall(toolNames, step.command)
  return [
    { type: 'reasoning' as const, id: `rs_${id}`, summary: [{ type: 'summary_text', text: step.thinking }] },
    {
      type: 'function_call' as const,
      id: `fc_${id}`,
      call_id: `call_${id}`,
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    },
  ]
}

function deltas(item: ReturnType<typeof message> | ReturnType<typeof toolUse>[number], index: number) {
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
