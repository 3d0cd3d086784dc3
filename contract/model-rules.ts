import { z } from 'zod'

import type { Definition } from './definition.ts'
import type { Variant } from './variants.ts'

/** Whose key may pay for a provider: any, only one of the organization's own, only the platform's, or none. */
export const ProviderRule = z.enum(['any', 'own', 'platform', 'none'])
export type ProviderRule = z.infer<typeof ProviderRule>

/** `allowed`: only the models in a list, with their dated snapshots. */
export const RunModelRule = z.enum(['any', 'allowed'])

const ModelId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\s\p{Cc}]+$/u, 'must be the id of a model, without spaces')

const perMillion = z.number().min(0).max(100_000)

/** US dollars per million tokens. Null means the input price. */
export const OwnModelPrice = z.object({
  model: ModelId,
  input: perMillion,
  output: perMillion,
  cacheRead: perMillion.nullable(),
  cacheWrite: perMillion.nullable(),
})
export type OwnModelPrice = z.infer<typeof OwnModelPrice>

export const modelRuleFields = {
  models: RunModelRule,
  allowedModels: z.array(ModelId).max(200),
  /** `other`: providers that the model gateway does not know; a run has their keys itself. */
  providers: z.object({
    anthropic: ProviderRule,
    openai: ProviderRule,
    google: ProviderRule,
    other: z.enum(['own', 'none']),
  }),
  /** What calls with the organization's own keys cost. */
  ownPrices: z
    .array(OwnModelPrice)
    .max(200)
    .refine((prices) => new Set(prices.map(({ model }) => model)).size === prices.length, 'must name each model once'),
}

export type ModelRules = z.infer<z.ZodObject<typeof modelRuleFields>>

export const noModelRules: ModelRules = {
  models: 'any',
  allowedModels: [],
  providers: { anthropic: 'any', openai: 'any', google: 'any', other: 'own' },
  ownPrices: [],
}

/** A dated snapshot costs the same as its model: `…-20250929` and `…-2025-08-07` are dates. */
export const snapshotDate = /-(\d{8}|\d{4}-\d{2}-\d{2})$/

/** Whether `id` is the model or a dated snapshot of it. */
export const isSameModel = (model: string, id: string) => id === model || id.replace(snapshotDate, '') === model

/** Why the rules refuse a model, or null. */
export const modelFault = ({ models, allowedModels }: Pick<ModelRules, 'models' | 'allowedModels'>, id: string) =>
  models === 'any' || allowedModels.some((allowed) => isSameModel(allowed, id))
    ? null
    : `the model ${id} is not allowed`

/** The models of these variants, and those that their definition names beside them, which the rules refuse. */
export function modelFaults(rules: ModelRules, definition: Definition, variants: readonly Pick<Variant, 'model'>[]) {
  const ids = new Set(variants.flatMap(({ model }) => model ?? []))
  return [...ids].flatMap((id) => {
    const named = (definition.models ?? []).find((entry) => typeof entry !== 'string' && entry.id === id)
    const also = typeof named === 'object' ? (named.also ?? []) : []
    return [id, ...also].flatMap((each) => {
      const message = modelFault(rules, each)
      return message === null ? [] : [{ path: `models.${id}`, message }]
    })
  })
}
