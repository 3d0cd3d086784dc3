import type { Definition } from '#contract/definition.ts'
import type { SpendKind } from '#contract/runs.ts'
import type { Variant } from '#contract/variants.ts'
import { keyVariable, modelKeyVariables, type ProviderName, providerOf } from './providers.ts'

export type Variables = Record<string, string>

export type Cell = Pick<Variant, 'agent' | 'model' | 'product' | 'environment'>

/** The variables of one variant: those for all its programs, and additional ones for its agent only. */
export type CellVariables = {
  shared: Variables
  /** Includes the model's own key under the name that its provider's clients read. */
  agentOnly: Variables
  provider: string | null
  /** A key without a known variable, which therefore cannot be passed on. */
  homelessKey: boolean
}

/** The variables of a variant with the given flags. Flags override the agent, which overrides the model. */
export function variablesOf(definition: Definition, cell: Cell, flagIds: readonly string[]): CellVariables {
  const named = <Entry extends { id: string }>(list: readonly (string | Entry)[] | undefined, id: string | null) =>
    list?.find((entry): entry is Entry => typeof entry !== 'string' && entry.id === id)
  const model = named(definition.models, cell.model)
  const provider = cell.model === null ? null : providerOf(model ?? { id: cell.model })
  const flags = (definition.flags ?? []).filter((flag) => flagIds.includes(flag.id))
  const key = model?.apiKey !== undefined && provider !== null ? { [keyVariable(provider)]: model.apiKey } : {}
  return {
    shared: {
      ...named(definition.environments, cell.environment)?.env,
      ...named(definition.products, cell.product)?.env,
    },
    agentOnly: {
      ...key,
      ...model?.env,
      ...named(definition.agents, cell.agent)?.env,
      ...Object.assign({}, ...flags.map((flag) => flag.env)),
    },
    provider,
    homelessKey: model?.apiKey !== undefined && provider === null,
  }
}

/** The payer of the provider: `byok` when the definition has its own key for the variant, `managed` otherwise. */
export function spendKindOf(definition: Definition, cell: Cell, flagIds: readonly string[]): SpendKind {
  const { shared, agentOnly, provider, homelessKey } = variablesOf(definition, cell, flagIds)
  const keys = provider === null ? modelKeyVariables : [...modelKeyVariables, keyVariable(provider)]
  const bringsKey = homelessKey || keys.some((name) => (agentOnly[name] ?? shared[name] ?? '') !== '')
  return bringsKey ? 'byok' : 'managed'
}

/** Variables with which a client reaches a model in another way than the provider's own API. */
export const otherWays: Record<ProviderName, readonly string[]> = {
  anthropic: ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'],
  openai: [],
  google: ['GOOGLE_GENAI_USE_VERTEXAI'],
}

/** Keys that only the provider's own client can use, so the gateway cannot. */
const directKeys: Record<ProviderName, readonly string[]> = {
  anthropic: ['CLAUDE_CODE_OAUTH_TOKEN'],
  openai: [],
  google: [],
}

export const isOn = (value: string | undefined) =>
  value !== undefined && !['', '0', 'false'].includes(value.toLowerCase())

/** Whether a client reaches the provider's models without the gateway: in another way, or with a key that it cannot use. */
export const goesAround = (provider: ProviderName, variables: Variables) =>
  otherWays[provider].some((name) => isOn(variables[name])) || directKeys[provider].some((name) => variables[name])
