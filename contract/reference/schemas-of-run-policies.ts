import { ModelPrice, ModelProviderName, ModelProviders } from '#contract/model-providers.ts'
import { OwnModelPrice, ProviderRule, RunModelRule } from '#contract/model-rules.ts'
import {
  Removal,
  RemovalKind,
  RetentionCounts,
  RetentionKind,
  RetentionLoss,
  RetentionPolicy,
  RetentionPreview,
  RetentionRules,
  RetentionSweep,
} from '#contract/retention.ts'
import { RunImageRule, RunNetworkRule, RunPolicy } from '#contract/run-policy.ts'
import type { z } from 'zod'

/** The schemas of the run policy, of the providers of models, and of retention. */
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
  Removal: [Removal, 'What retention removed of a run.'],
  RemovalKind: [RemovalKind, 'What retention removes of runs: a part, or the whole run.'],
  RetentionKind: [RetentionKind, 'What an organization keeps for a number of days.'],
  RetentionRules: [RetentionRules, 'For how many days each kind is kept.'],
  RetentionPolicy: [RetentionPolicy, 'The rules of retention, and what the last sweep removed.'],
  RetentionCounts: [RetentionCounts, 'How many of each kind were removed.'],
  RetentionSweep: [RetentionSweep, 'What a sweep removed.'],
  RetentionLoss: [RetentionLoss, 'What one kind would lose.'],
  RetentionPreview: [RetentionPreview, 'What proposed rules would remove now.'],
  RunImageRule: [RunImageRule, 'Which images environments may use.'],
}
