import { z } from 'zod'

import { Named, shellCall, stepFor, tokensPerAnswer } from './script.ts'

const Request = z.object({
  contents: z.array(z.object({ parts: z.array(z.object({ functionResponse: z.unknown().optional() })).default([]) })),
  tools: z.array(z.object({ functionDeclarations: z.array(Named).default([]) })).default([]),
})

const usageMetadata = {
  promptTokenCount: tokensPerAnswer.input,
  cachedContentTokenCount: tokensPerAnswer.cachedInput,
  candidatesTokenCount: tokensPerAnswer.output - tokensPerAnswer.reasoning,
  thoughtsTokenCount: tokensPerAnswer.reasoning,
  totalTokenCount: tokensPerAnswer.input + tokensPerAnswer.output,
}

/** A response of generateContent; its stream is one event with the same content. */
export function answerGenerate(body: unknown, modelVersion: string) {
  const { contents, tools } = Request.parse(body)
  const toolNames = tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name))
  const results = contents.flatMap(({ parts }) => parts).filter((part) => part.functionResponse !== undefined)
  const step = stepFor(toolNames, results.length)
  const parts = 'text' in step ? [{ text: step.text }] : toolUse(step, toolNames)
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata,
    modelVersion,
  }
}

function toolUse(step: { thinking: string; command: string }, toolNames: readonly string[]) {
  const { name, input } = shellCall(toolNames, step.command)
  return [{ thought: true, text: step.thinking }, { functionCall: { name, args: input } }]
}
