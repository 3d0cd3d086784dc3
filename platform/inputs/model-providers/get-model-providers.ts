import type { ModelPrice, ModelProviders } from '#contract/model-providers.ts'
import { sumSpendingOfProvider } from '#platform/inputs/budgets/spending-of-provider.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { builtInPrices, type ModelPrices, priceSources } from '#platform/ground/models/model-prices.ts'
import { isKnownProvider, providerNames, providerOf } from '#platform/ground/models/providers.ts'

/** GET /admin/v1/model-providers. What each may be used for is in the run policy. */
export async function getModelProviders({ db, organization, creditTerms }: Context): Promise<ModelProviders> {
  const spent = await sumSpendingOfProvider(db, organization.id)
  return {
    providers: providerNames.map((provider) => ({
      provider,
      hasPlatformKey: Object.hasOwn(creditTerms.managedKeys, provider),
      spentUsd: spent(provider),
    })),
    prices: pricesOf(creditTerms.prices),
  }
}

const pricesOf = (prices: ModelPrices): ModelPrice[] =>
  Object.entries(prices).map(([model, price]) => {
    const known = providerOf({ id: model })
    const provider = known !== null && isKnownProvider(known) ? known : null
    const isListed = Object.hasOwn(builtInPrices, model) && builtInPrices[model] === price
    return {
      model,
      provider,
      source: isListed ? 'list' : 'operator',
      basis: isListed && provider !== null ? priceSources[provider] : null,
      input: price.input,
      output: price.output,
      cacheRead: price.cacheRead ?? null,
      cacheWrite: price.cacheWrite ?? null,
      longPromptTokens: price.upToInputTokens ?? null,
    }
  })
