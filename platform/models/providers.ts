/** Providers whose models can be recognized by their ids, and the variables that their clients read. */
const knownProviders: Record<string, { ids: RegExp; key: string; baseUrl: string }> = {
  anthropic: { ids: /^(claude|fable|opus|sonnet|haiku)\b/, key: 'ANTHROPIC_API_KEY', baseUrl: 'ANTHROPIC_BASE_URL' },
  openai: { ids: /^(gpt|codex|o\d)\b/, key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL' },
  google: { ids: /^gemini\b/, key: 'GEMINI_API_KEY', baseUrl: 'GOOGLE_GEMINI_BASE_URL' },
}

const upperSnake = (provider: string) => provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')

/** The provider of a model: from the definition, else from a well-known id, else null. */
export function providerOf(model: { id: string; provider?: string | undefined }): string | null {
  if (model.provider !== undefined) return model.provider
  return Object.entries(knownProviders).find(([, { ids }]) => ids.test(model.id))?.[0] ?? null
}

export const keyVariable = (provider: string) => knownProviders[provider]?.key ?? `${upperSnake(provider)}_API_KEY`

export const baseUrlVariable = (provider: string) =>
  knownProviders[provider]?.baseUrl ?? `${upperSnake(provider)}_BASE_URL`

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
