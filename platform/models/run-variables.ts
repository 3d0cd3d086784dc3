import type { Definition } from '#contract/definition.ts'
import type { SpendKind } from '#contract/runs.ts'
import type { Variant } from '#contract/variants.ts'
import { keyVariable, modelKeyVariables, providerOf } from './providers.ts'

export type Variables = Record<string, string>

export type Cell = Pick<Variant, 'agent' | 'model' | 'product' | 'environment'>

/** What a definition gives one cell of its matrix: variables for everything in it, and more for its agent alone. */
export type CellVariables = {
  shared: Variables
  /** With the model's own key under the name its provider's clients read. */
  agentOnly: Variables
  provider: string | null
  /** A key that no variable is known for, so that it cannot be handed over. */
  homelessKey: boolean
}

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

/** Who pays the provider: `byok` when the definition brings a key of its own for the cell, `managed` otherwise. */
export function spendKindOf(definition: Definition, cell: Cell, flagIds: readonly string[]): SpendKind {
  const { shared, agentOnly, provider, homelessKey } = variablesOf(definition, cell, flagIds)
  const keys = provider === null ? modelKeyVariables : [...modelKeyVariables, keyVariable(provider)]
  const bringsKey = homelessKey || keys.some((name) => (agentOnly[name] ?? shared[name] ?? '') !== '')
  return bringsKey ? 'byok' : 'managed'
}
