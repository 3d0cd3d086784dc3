import { z } from 'zod'

import { type Conversation, Named, type Played, type Step, type Told } from './script.ts'
import { toolCall } from './tool-calls.ts'

const Part = z.object({ text: z.string().optional(), functionResponse: z.unknown().optional() })

export const GenerateRequest = z.object({
  contents: z.array(z.object({ role: z.string().optional(), parts: z.array(Part).default([]) })),
  tools: z.array(z.object({ functionDeclarations: z.array(Named).default([]) })).default([]),
})
type GenerateRequest = z.output<typeof GenerateRequest>

const toolNamesOf = ({ tools }: GenerateRequest) =>
  tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name))

export const conversationOfContents = (request: GenerateRequest): Conversation => ({
  tools: toolNamesOf(request),
  told: request.contents
    .filter(({ role }) => role !== 'model')
    .flatMap(({ parts }) => parts)
    .flatMap(({ text, functionResponse }): Told[] => {
      if (functionResponse !== undefined) return [{ result: JSON.stringify(functionResponse) ?? '' }]
      return text === undefined ? [] : [{ prompt: text }]
    }),
})

/** A response of generateContent; its stream is one event with the same content. */
export function answerGenerate(request: GenerateRequest, { step, tokens }: Played, modelVersion: string) {
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts: partsOf(step, toolNamesOf(request)) }, finishReason: 'STOP' },
    ],
    usageMetadata: {
      promptTokenCount: tokens.input,
      cachedContentTokenCount: tokens.cachedInput,
      candidatesTokenCount: tokens.output - tokens.reasoning,
      thoughtsTokenCount: tokens.reasoning,
      totalTokenCount: tokens.input + tokens.output,
    },
    modelVersion,
  }
}

/** Gemini CLI's subagents end with a call of their own. */
const endOfSubagent = 'complete_task'

function partsOf({ thinking, acts = [], text }: Step, toolNames: readonly string[]) {
  const call = ({ name, input }: ReturnType<typeof toolCall>) => ({ functionCall: { name, args: input } })
  const isSubagent = toolNames.includes(endOfSubagent)
  return [
    ...(thinking === undefined ? [] : [{ thought: true, text: thinking }]),
    ...(text === undefined
      ? []
      : isSubagent
        ? [call({ name: endOfSubagent, input: { result: { response: text } } })]
        : [{ text }]),
    ...acts.map((act) => call(toolCall(toolNames, act, []))),
  ]
}
