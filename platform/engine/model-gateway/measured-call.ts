import { costOfCall, priceOf } from '#platform/ground/models/cost-of.ts'
import type { ModelPrices } from '#platform/ground/models/model-prices.ts'
import type { CallRecord } from './call-record.ts'
import type { CheckedQuestion } from './check-question.ts'
import type { MeasuredAnswer } from './measure-answer.ts'

/** The fastest models generate fewer tokens in a second. */
const maxTokensPerSecond = 250

/**
 * The tokens that a provider may have generated for a call that the end of its run cut: those of the time so far in a
 * stream, whose provider stops with it, and all that the question allows in an answer of one piece.
 */
export const mayHaveGenerated = ({ mostOutput, isStream }: CheckedQuestion, milliseconds: number) =>
  isStream ? Math.min(mostOutput, Math.ceil((milliseconds / 1000) * maxTokensPerSecond)) : mostOutput

/** What a call has used, at the prices of the model that answered, or else of the model that was asked for. */
export function measuredCall(
  prices: ModelPrices,
  asked: CheckedQuestion,
  { model, tokens, source }: MeasuredAnswer,
): Partial<CallRecord> {
  const priced = [model, asked.model].find((id) => id !== null && priceOf(prices, id) !== undefined)
  return {
    answeredModel: model,
    inputTokens: tokens.input,
    cachedTokens: tokens.cacheRead,
    outputTokens: tokens.output,
    tokenSource: source,
    costUsd: priced ? costOfCall(prices, priced, tokens) : null,
  }
}
