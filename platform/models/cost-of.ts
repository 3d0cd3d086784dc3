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

/** A dated snapshot costs the same as its model: `…-20250929` and `…-2025-08-07` are dates. */
const snapshotDate = /-(\d{8}|\d{4}-\d{2}-\d{2})$/

/** The price of a model or of a dated snapshot of it. */
export function priceOf(prices: ModelPrices, model: string) {
  const id = [model, model.replace(snapshotDate, '')].find((name) => Object.hasOwn(prices, name))
  return id === undefined ? undefined : prices[id]
}
