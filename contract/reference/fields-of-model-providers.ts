import type { FieldTexts } from './reference-text.ts'

const rules = {
  models: [
    'Which models runs may use. `allowed`: only those in `allowedModels`, through the model gateway.',
    'allowed',
  ],
  allowedModels: ['The ids of allowed models. Their dated snapshots are allowed with them.', ['claude-sonnet-4-5']],
  providers: ['Whose keys may pay for the models of each provider.'],
  'providers.anthropic': ['Keys for Anthropic models.', 'any'],
  'providers.openai': ['Keys for OpenAI models.', 'own'],
  'providers.google': ['Keys for Google models.', 'none'],
  'providers.other': [
    'Whether runs may use keys of providers that the model gateway does not know. Their models and cost cannot be checked.',
    'none',
  ],
  ownPrices: ['Prices for calls with the organization’s own keys; list each model once. They override the price list.'],
} satisfies FieldTexts

const fieldsOf = (schema: string): FieldTexts =>
  Object.fromEntries(Object.entries(rules).map(([field, text]) => [`${schema}.${field}`, text])) as FieldTexts

export const modelProviderFields: FieldTexts = {
  ...fieldsOf('RunPolicy'),
  ...fieldsOf('RunPolicyPutRequest'),
  'OwnModelPrice.model': ['The id of the model.', 'our-model'],
  'OwnModelPrice.input': ['US dollars per million input tokens.', 1.25],
  'OwnModelPrice.output': ['US dollars per million output tokens.', 10],
  'OwnModelPrice.cacheRead': ['US dollars per million tokens read from a cache. Null means the input price.', 0.125],
  'OwnModelPrice.cacheWrite': ['US dollars per million tokens written to a cache. Null means the input price.', 1.25],
  'ModelProviders.providers': ['The providers that the model gateway knows.'],
  'ModelProviders.providers.provider': ['The provider.', 'anthropic'],
  hasPlatformKey: ['Whether the platform has a key of the provider that runs may use.', true],
  'ModelProviders.providers.spentUsd': [
    'What runs of its models have cost this month (UTC), compute included, in US dollars.',
    12.5,
  ],
  'ModelProviders.prices': ['The price list of the platform.'],
  'ModelPrice.model': ['The id of the model.', 'claude-sonnet-4-5'],
  'ModelPrice.provider': ['The provider. Null if it cannot be determined from the id.', 'anthropic'],
  'ModelPrice.source': [
    '`list`: from a list of the provider. `operator`: from the operator’s MODEL_PRICES_FILE.',
    'list',
  ],
  'ModelPrice.basis': ['The list that the price is from. Null for a price of the operator.', '“Pricing”, 2026'],
  'ModelPrice.input': ['US dollars per million input tokens.', 3],
  'ModelPrice.output': ['US dollars per million output tokens.', 15],
  'ModelPrice.cacheRead': ['US dollars per million tokens read from a cache. Null if not listed.', 0.3],
  'ModelPrice.cacheWrite': ['US dollars per million tokens written to a cache. Null if not listed.', 3.75],
  longPromptTokens: ['Prompts with more tokens than this cost more. Null if the length does not matter.', 200_000],
}
