/** Providers whose HTTP API the model gateway knows. */
export type ProviderName = 'anthropic' | 'openai' | 'google'

type KnownProvider = { ids: RegExp; key: string; baseUrl: string; keys: readonly string[] }

/**
 * Providers whose models can be recognized by their ids, and the variables that their clients read. `keys` are all
 * variables of API keys, in the order in which clients prefer them.
 */
const knownProviders: Record<ProviderName, KnownProvider> = {
  anthropic: {
    ids: /^(claude|fable|opus|sonnet|haiku)\b/,
    key: 'ANTHROPIC_API_KEY',
    baseUrl: 'ANTHROPIC_BASE_URL',
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  },
  openai: {
    ids: /^(gpt|codex|o\d)\b/,
    key: 'OPENAI_API_KEY',
    baseUrl: 'OPENAI_BASE_URL',
    keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  },
  google: {
    ids: /^gemini\b/,
    key: 'GEMINI_API_KEY',
    baseUrl: 'GOOGLE_GEMINI_BASE_URL',
    keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
  },
}

export const providerNames: readonly ProviderName[] = ['anthropic', 'openai', 'google']

export const isKnownProvider = (provider: string): provider is ProviderName => Object.hasOwn(knownProviders, provider)

/** The variables that may contain an API key of a provider. */
export const keyVariables = (provider: ProviderName) => knownProviders[provider].keys

const upperSnake = (provider: string) => provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')

/** The provider of a model: from the definition, else from a well-known id, else null. */
export function providerOf(model: { id: string; provider?: string | undefined }): string | null {
  if (model.provider !== undefined) return model.provider
  return Object.entries(knownProviders).find(([, { ids }]) => ids.test(model.id))?.[0] ?? null
}

export const keyVariable = (provider: string) =>
  isKnownProvider(provider) ? knownProviders[provider].key : `${upperSnake(provider)}_API_KEY`

export const baseUrlVariable = (provider: string) =>
  isKnownProvider(provider) ? knownProviders[provider].baseUrl : `${upperSnake(provider)}_BASE_URL`

/** Variables with an API key for a model, under every name that clients read. */
export const modelKeyVariables: readonly string[] = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'OPENAI_API_KEY',
  'CODEX_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OPENCODE_API_KEY',
]
