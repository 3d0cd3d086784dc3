import type { FieldTexts } from './reference-text.ts'

const rules = {
  models: [
    'Which models runs may use. `allowed`: only those in `allowedModels`, through the model gateway.',
    'allowed',
  ],
  allowedModels: ['The ids of allowed models. Their dated snapshots are allowed with them.', ['claude-sonnet-4-5']],
  providers: ['Whose keys may pay for the models of each provider.'],
  'providers.anthropic': ['Keys for models of Anthropic.', 'any'],
  'providers.openai': ['Keys for models of OpenAI.', 'own'],
  'providers.google': ['Keys for models of Google.', 'none'],
  'providers.other': [
    'Whether runs may use keys of providers that the model gateway does not know. Their models and cost cannot be checked.',
    'none',
  ],
  ownPrices: ['What calls with the organization’s own keys cost, each model once. They replace the price list.'],
} satisfies FieldTexts

const fieldsOf = (schema: string): FieldTexts =>
  Object.fromEntries(Object.entries(rules).map(([field, text]) => [`${schema}.${field}`, text])) as FieldTexts

export const modelProviderFields: FieldTexts = {
  ...fieldsOf('RunPolicy'),
  ...fieldsOf('RunPolicyPutRequest'),
  'OwnModelPrice.model': ['The id of the model.', 'our-model'],
  'OwnModelPrice.input': ['US dollars for a million tokens of input.', 1.25],
  'OwnModelPrice.output': ['US dollars for a million tokens of output.', 10],
  'OwnModelPrice.cacheRead': ['US dollars for a million tokens read from a cache. Null: as the input.', 0.125],
  'OwnModelPrice.cacheWrite': ['US dollars for a million tokens written to a cache. Null: as the input.', 1.25],
  'ModelProviders.providers': ['The providers that the model gateway knows.'],
  'ModelProviders.providers.provider': ['The provider.', 'anthropic'],
  hasPlatformKey: ['Whether the platform has a key of the provider that runs may use.', true],
  'ModelProviders.providers.spentUsd': [
    'What runs of its models have cost this month (UTC), compute included, in US dollars.',
    12.5,
  ],
  'ModelProviders.prices': ['The price list of the platform.'],
  'ModelPrice.model': ['The id of the model.', 'claude-sonnet-4-5'],
  'ModelPrice.provider': ['The provider. Null if the id does not say.', 'anthropic'],
  'ModelPrice.source': [
    '`list`: from a list of the provider. `operator`: from the operator’s MODEL_PRICES_FILE.',
    'list',
  ],
  'ModelPrice.basis': ['The list that the price is from. Null for a price of the operator.', '“Pricing”, 2026'],
  'ModelPrice.input': ['US dollars for a million tokens of input.', 3],
  'ModelPrice.output': ['US dollars for a million tokens of output.', 15],
  'ModelPrice.cacheRead': ['US dollars for a million tokens read from a cache. Null if not listed.', 0.3],
  'ModelPrice.cacheWrite': ['US dollars for a million tokens written to a cache. Null if not listed.', 3.75],
  longPromptTokens: ['Longer prompts cost more. Null if the length does not matter.', 200_000],
}
