import { snapshotDate } from '#contract/model-rules.ts'
import type { ModelPrices } from './model-prices.ts'

/** The token usage of a run. `input` is the whole prompt and includes tokens read from or written to a cache. */
export type SpentTokens = { input: number | null; output: number | null; cacheRead: number; cacheWrite: number }

/** The cost of the tokens in USD, or null when the price table lacks it: never zero, never an estimate. */
export function costOf(prices: ModelPrices, model: string | null, spent: SpentTokens): number | null {
  const price = model === null ? undefined : priceOf(prices, model)
  const { input, output, cacheRead, cacheWrite } = spent
  if (!price || input === null || output === null) return null
  if (price.upToInputTokens !== undefined && input > price.upToInputTokens) return null
  const parts = [
    { tokens: input - cacheRead - cacheWrite, perMillion: price.input },
    { tokens: output, perMillion: price.output },
    { tokens: cacheRead, perMillion: price.cacheRead },
    { tokens: cacheWrite, perMillion: price.cacheWrite },
  ]
  let usd = 0
  for (const { tokens, perMillion } of parts) {
    if (tokens === 0) continue
    if (perMillion === undefined || tokens < 0) return null
    usd += (tokens * perMillion) / 1_000_000
  }
  return usd
}

/**
 * The token usage of one call. `input` is the whole prompt and includes cached tokens. `cacheWriteHour` is the part of
 * `cacheWrite` that lasts an hour.
 */
export type CallTokens = {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  cacheWriteHour: number
}

/** The cost of one call in USD, or null when the price table lacks it. The length of its prompt is known. */
export function costOfCall(prices: ModelPrices, model: string, tokens: CallTokens): number | null {
  const price = priceOf(prices, model)
  if (!price) return null
  const isLong = price.upToInputTokens !== undefined && tokens.input > price.upToInputTokens
  const factors = isLong ? price.longPrompt : { input: 1, output: 1 }
  if (!factors) return null
  const plain = Math.max(0, tokens.input - tokens.cacheRead - tokens.cacheWrite)
  const cacheRead = price.cacheRead ?? price.input
  const cacheWrite = price.cacheWrite ?? price.input
  const cacheWriteHour = price.cacheWriteHour ?? cacheWrite
  const input =
    plain * price.input +
    tokens.cacheRead * cacheRead +
    (tokens.cacheWrite - tokens.cacheWriteHour) * cacheWrite +
    tokens.cacheWriteHour * cacheWriteHour
  return (input * factors.input + tokens.output * price.output * factors.output) / 1_000_000
}

/** The price of a model or of a dated snapshot of it. */
export function priceOf(prices: ModelPrices, model: string) {
  const id = [model, model.replace(snapshotDate, '')].find((name) => Object.hasOwn(prices, name))
  return id === undefined ? undefined : prices[id]
}
