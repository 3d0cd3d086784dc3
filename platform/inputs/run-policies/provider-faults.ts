import type { Definition } from '#contract/definition.ts'
import { providerLabels } from '#contract/model-providers.ts'
import type { ModelRules } from '#contract/model-rules.ts'
import type { PolicyFault } from '#contract/run-policy.ts'
import { isKnownProvider, keyVariables, modelKeyVariables, providerNames } from '#platform/ground/models/providers.ts'
import { type Cell, goesAround, isOn, otherWays, variablesOf } from '#platform/ground/models/run-variables.ts'

export type Submission<Variant extends Cell> = {
  definition: Definition
  variants: readonly Variant[]
  flags: readonly string[]
  /** Whether the platform's key pays for the model of a variant. */
  usesPlatformKey: (variant: Variant) => boolean
}

const knownKeys = new Set(providerNames.flatMap(keyVariables))

/** The providers of these variants whose keys the rules refuse, each once. */
export function providerFaults<Variant extends Cell>(
  { providers, models }: Pick<ModelRules, 'providers' | 'models'>,
  { definition, variants, flags, usesPlatformKey }: Submission<Variant>,
): PolicyFault[] {
  const faults = new Map<string, PolicyFault>()
  for (const variant of variants) {
    const path = variant.model === null ? `agents.${variant.agent}` : `models.${variant.model}`
    const refuse = (message: string) => faults.set(path + message, { path, message })
    const { shared, agentOnly, provider, homelessKey } = variablesOf(definition, variant, flags)
    const variables = { ...shared, ...agentOnly }
    for (const known of providerNames) {
      const hasOwnKey = keyVariables(known).some((name) => variables[name]) || goesAround(known, variables)
      const isUsed = hasOwnKey || provider === known
      if (providers[known] === 'none' && isUsed) refuse(`${providerLabels[known]} models are not allowed`)
      if (providers[known] === 'platform' && hasOwnKey)
        refuse(`your own ${providerLabels[known]} API key is not allowed; remove it to use the platform’s key`)
      if (providers[known] === 'own' && provider === known && usesPlatformKey(variant))
        refuse(`the platform’s key is not allowed for ${providerLabels[known]}; set an apiKey for the model`)
    }
    if (providers.other === 'own' && models === 'any') continue
    const isOther = provider !== null && !isKnownProvider(provider)
    const otherKey = modelKeyVariables.find((name) => !knownKeys.has(name) && variables[name])
    const otherWay = Object.values(otherWays)
      .flat()
      .find((name) => isOn(variables[name]))
    const variable = otherKey ?? otherWay
    const why = providers.other === 'own' ? ', because only some models are allowed' : ''
    if (isOther) refuse(`the provider ${provider} is not allowed${why}${insteadOf(providers)}`)
    else if (variable !== undefined)
      refuse(`other providers are not allowed${why}; remove ${variable} from the definition`)
    else if (homelessKey)
      refuse(`keys of other providers are not allowed${why}; set the model’s provider, or remove its apiKey`)
  }
  return [...faults.values()]
}

const orOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })

function insteadOf(rules: ModelRules['providers']) {
  const allowed = providerNames.filter((name) => rules[name] !== 'none').map((name) => providerLabels[name])
  return allowed.length > 0 ? `; use ${orOf.format(allowed)}` : ''
}
