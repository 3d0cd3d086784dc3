import type { ModelRules } from '#contract/model-rules.ts'
import type { ModelPrices } from './model-prices.ts'

/** The prices that an organization set for calls with its own keys. */
export const ownPricesOf = ({ ownPrices }: Pick<ModelRules, 'ownPrices'>): ModelPrices =>
  Object.fromEntries(
    ownPrices.map(({ model, input, output, cacheRead, cacheWrite }) => [
      model,
      { input, output, cacheRead: cacheRead ?? input, cacheWrite: cacheWrite ?? input },
    ]),
  )
