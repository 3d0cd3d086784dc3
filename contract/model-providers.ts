import { z } from 'zod'

import { endpoint } from './endpoint.ts'

/** The providers that the model gateway knows. */
export const ModelProviderName = z.enum(['anthropic', 'openai', 'google'])
export type ModelProviderName = z.infer<typeof ModelProviderName>

export const providerLabels: Record<ModelProviderName, string> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google',
}

const perMillion = z.number().min(0)

/** What the platform counts for a model, in US dollars per million tokens. */
export const ModelPrice = z.object({
  model: z.string(),
  provider: ModelProviderName.nullable(),
  source: z.enum(['list', 'operator']),
  /** Where a listed price comes from. */
  basis: z.string().nullable(),
  input: perMillion,
  output: perMillion,
  cacheRead: perMillion.nullable(),
  cacheWrite: perMillion.nullable(),
  /** Prompts with more tokens cost more. */
  longPromptTokens: z.int().nullable(),
})
export type ModelPrice = z.infer<typeof ModelPrice>

const ModelProvider = z.object({
  provider: ModelProviderName,
  /** Whether the platform has a key of this provider that runs may use. */
  hasPlatformKey: z.boolean(),
  /** What runs of its models have cost this month (UTC), compute included, in US dollars. */
  spentUsd: z.number().min(0),
})

export const ModelProviders = z.object({ providers: z.array(ModelProvider), prices: z.array(ModelPrice) })
export type ModelProviders = z.infer<typeof ModelProviders>

export const getModelProviders = endpoint({
  base: '/admin/v1',
  name: 'modelProviders.get',
  method: 'GET',
  path: '/model-providers',
  summary: 'Get the providers of models, and what models cost (admins only)',
  response: ModelProviders,
  errors: ['unauthenticated', 'permission_denied'],
})
