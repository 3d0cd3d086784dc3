import type { ModelRules } from '#contract/model-rules.ts'
import { priceOf } from './cost-of.ts'
import type { ModelPrices } from './model-prices.ts'

/** The prices that an organization set for calls with its own keys. */
export const ownPricesOf = ({ ownPrices }: Pick<ModelRules, 'ownPrices'>): ModelPrices =>
  Object.fromEntries(
    ownPrices.map(({ model, input, output, cacheRead, cacheWrite }) => [
      model,
      { input, output, cacheRead: cacheRead ?? input, cacheWrite: cacheWrite ?? input },
    ]),
  )

/**
 * The price list with an organization's own prices. What those do not name stays as listed: the extra cost of long
 * prompts, and that of cache writes that last an hour, in proportion to the input.
 */
export function withOwnPrices(prices: ModelPrices, ownPrices: ModelPrices): ModelPrices {
  const replaced = Object.entries(ownPrices).map(([model, own]) => {
    const listed = priceOf(prices, model)
    const { input = 0, cacheWriteHour } = listed ?? {}
    const hour = cacheWriteHour === undefined || input === 0 ? undefined : (cacheWriteHour * own.input) / input
    return [model, { ...listed, ...own, cacheWriteHour: hour }] as const
  })
  return { ...prices, ...Object.fromEntries(replaced) }
}
