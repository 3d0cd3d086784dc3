import { randomBytes } from 'node:crypto'

import type { ModelRules } from '#contract/model-rules.ts'
import { ownPricesOf } from '#platform/ground/models/own-prices.ts'
import type { ModelAccess, Upstream } from '#platform/engine/model-gateway/model-access.ts'
import {
  baseUrlVariable,
  keyVariable,
  keyVariables,
  type ProviderName,
  providerNames,
} from '#platform/ground/models/providers.ts'
import { isOn, otherWays, type Variables } from '#platform/ground/models/run-variables.ts'

/** The access of a run to its models: through the gateway, with a token instead of keys. */
export type PlannedModels = {
  access: ModelAccess
  /** The variables that replace keys and addresses. `gateway` is the address of the gateway. */
  variables: (gateway: string) => Variables
}

type Facts = {
  /** The agent's variables with secrets in plain text. */
  variables: Variables
  /** The model of the run and those that its definition also names; null for a run without a model. */
  models: readonly string[] | null
  platformKey: { provider: ProviderName; key: string } | null
  network: boolean
  rules: ModelRules
  token: string
}

export const newModelToken = () => `assay-run-${randomBytes(32).toString('base64url')}`

const gatewayPaths: Record<ProviderName, string> = { anthropic: '/anthropic', openai: '/openai/v1', google: '/google' }

/** Returns the access of a run, or null if it has no key of a provider that the gateway knows. */
export function planModels(facts: Facts): PlannedModels | null {
  const { variables, models, network, rules, token } = facts
  const upstreams: ModelAccess['upstreams'] = {}
  for (const provider of providerNames) {
    const upstream = upstreamOf(provider, facts)
    if (upstream) upstreams[provider] = upstream
  }
  const reachable = providerNames.filter((provider) => upstreams[provider])
  if (reachable.length === 0) return null
  return {
    access: { models, rules, ownPrices: ownPricesOf(rules), upstreams, allowsInternet: network },
    variables: (gateway) =>
      Object.fromEntries(
        reachable.flatMap((provider) => {
          const given = keyVariables(provider).filter((name) => variables[name])
          // Gemini CLI takes GOOGLE_API_KEY for a key of Vertex AI.
          const keys = given.length > 0 && provider !== 'google' ? given : [...given, keyVariable(provider)]
          return [
            ...keys.map((name) => [name, token]),
            [baseUrlVariable(provider), `${gateway}${gatewayPaths[provider]}`],
          ]
        }),
      ),
  }
}

function upstreamOf(provider: ProviderName, { variables, platformKey }: Facts): Upstream | null {
  if (otherWays[provider].some((name) => isOn(variables[name]))) return null
  const variable = keyVariables(provider).find((name) => variables[name])
  const key = variable && variables[variable]
  if (key) {
    const isBearer = variable === 'ANTHROPIC_AUTH_TOKEN'
    return { key, isBearer, isManaged: false, baseUrl: variables[baseUrlVariable(provider)] || null }
  }
  if (platformKey?.provider !== provider) return null
  return { key: platformKey.key, isBearer: false, isManaged: true, baseUrl: null }
}

/** Why the definition's own address of a model server cannot be used, or null. */
export function whyNotAnAddress(variables: Variables): string | null {
  for (const name of providerNames.map(baseUrlVariable)) {
    const value = variables[name]
    if (!value) continue
    const url = URL.parse(value)
    if (!url || !['http:', 'https:'].includes(url.protocol)) return `${name} is not an http or https address`
    if (url.username || url.password || url.search || url.hash)
      return `${name} must be an address without a user, a query or a fragment`
  }
  return null
}
