import type { Definition } from '#contract/definition.ts'
import { keyVariables, providerNames, providerOf } from './providers.ts'
import { type Cell, goesAround, variablesOf } from './run-variables.ts'

/**
 * The providers that a run can use although the id of its model, by which spending is counted, names another or none.
 * A run without a model, or with a model of an unknown id, can use every provider that it has a key of.
 */
export function uncountedProviders(definition: Definition, cell: Cell, flags: readonly string[]): Set<string> {
  const { shared, agentOnly, provider } = variablesOf(definition, cell, flags)
  const variables = { ...shared, ...agentOnly }
  const entry = (definition.models ?? []).find((model) => typeof model !== 'string' && model.id === cell.model)
  const also = typeof entry === 'object' ? (entry.also ?? []) : []
  const counted = cell.model === null ? null : providerOf({ id: cell.model })
  const named = [counted, ...also.map((id) => providerOf({ id }))]
  const hasKey = (known: (typeof providerNames)[number]) => keyVariables(known).some((name) => variables[name])
  const reached = providerNames.filter(
    (known) => goesAround(known, variables) || (named.includes(null) && hasKey(known)),
  )
  const used = [provider, ...named, ...reached].filter((each) => each !== null)
  return new Set(used.filter((each) => each !== counted))
}
