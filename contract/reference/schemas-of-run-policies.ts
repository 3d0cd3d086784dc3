import { ModelPrice, ModelProviderName, ModelProviders } from '#contract/model-providers.ts'
import { OwnModelPrice, ProviderRule, RunModelRule } from '#contract/model-rules.ts'
import { RunImageRule, RunNetworkRule, RunPolicy } from '#contract/run-policy.ts'
import type { z } from 'zod'

/** The schemas of the run policy and of the providers of models. */
export const runPolicySchemas: Readonly<Record<string, readonly [schema: z.ZodType, description: string]>> = {
  RunPolicy: [RunPolicy, 'What the runs of the organization may use.'],
  RunNetworkRule: [RunNetworkRule, 'Which network environments may request.'],
  RunModelRule: [RunModelRule, 'Which models runs may use.'],
  ProviderRule: [
    ProviderRule,
    'Whose keys may pay for a provider: any, only the organization’s own, only the platform’s, or none.',
  ],
  OwnModelPrice: [OwnModelPrice, 'What calls of a model with the organization’s own keys cost.'],
  ModelPrice: [ModelPrice, 'What the platform counts for a model.'],
  ModelProviderName: [ModelProviderName, 'A provider that the model gateway knows.'],
  ModelProviders: [ModelProviders, 'The providers of models, and the price list.'],
  RunImageRule: [RunImageRule, 'Which images environments may use.'],
}
