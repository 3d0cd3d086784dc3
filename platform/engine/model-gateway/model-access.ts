import { isSameModel, modelFault, type ModelRules } from '#contract/model-rules.ts'
import { costOfCall, priceOf } from '#platform/ground/models/cost-of.ts'
import type { ModelPrices } from '#platform/ground/models/model-prices.ts'
import { withOwnPrices } from '#platform/ground/models/own-prices.ts'
import type { ProviderName } from '#platform/ground/models/providers.ts'
import { findRemoteContent, findStored } from './find-remote-content.ts'
import type { Tool } from '#platform/engine/model-gateway/formats/find-tools.ts'
import { recordsIn } from '#platform/engine/model-gateway/formats/json-shapes.ts'
import type { ExtraUse, WireFormat } from '#platform/engine/model-gateway/formats/wire-format.ts'

/** The place where calls to a provider go, and the key that only the gateway knows. */
export type Upstream = {
  key: string
  /** The key is sent as a bearer token where the provider has two ways. */
  isBearer: boolean
  /** The operator's key, whose calls are charged to credit. */
  isManaged: boolean
  /** The address that the definition chose, or null for the provider's own. */
  baseUrl: string | null
}

/** Masking uses memory in proportion to the size of a key. */
const maxKeyBytes = 8 * 1024

/** Why a key cannot be used for model calls, or null if it can. */
export function keyFault({ upstreams }: Pick<ModelAccess, 'upstreams'>): string | null {
  const [provider] = Object.entries(upstreams).find(([, { key }]) => Buffer.byteLength(key) > maxKeyBytes) ?? []
  if (provider === undefined) return null
  return `The API key for ${provider} has more than ${maxKeyBytes / 1024} KiB: set apiKey, or the variable of the key, to the key alone`
}

/** What the calls of one run may reach. */
export type ModelAccess = {
  /** Null lets every model through: the run has no model, and its key belongs to its experiment. */
  models: readonly string[] | null
  upstreams: Partial<Record<ProviderName, Upstream>>
  /** What the run policy allows, beside the models of the run. */
  rules: Pick<ModelRules, 'models' | 'allowedModels'>
  /** Prices of calls with the organization's own keys that replace those of the platform. */
  ownPrices: ModelPrices
  /** Whether tools that the provider runs, and addresses of content, may reach the internet. */
  allowsInternet: boolean
}

type Body = Readonly<Record<string, unknown>>

type Wanted = { format: WireFormat; upstream: Upstream; model: string; body: Body }

/** Why a call does not pass, for the client's author, or null if it does. */
export function whyNotAllowed(
  { models, rules, allowsInternet }: ModelAccess,
  { format, upstream, model, body }: Wanted,
  { prices, hasBudget }: { prices: ModelPrices; hasBudget: boolean },
): string | null {
  const tools = format.toolsIn(body)
  for (const named of [model, ...otherModels(body, tools)]) {
    if (models && !models.some((allowed) => isSameModel(allowed, named))) return notThisModel(models, named)
    const refused = modelFault(rules, named)
    if (refused !== null)
      return `The run policy of the organization refuses this call: ${refused}. Ask an admin to allow it`
  }
  const stored = upstream.isManaged ? findStored(format, body) : undefined
  if (stored !== undefined)
    return `This run cannot use ${stored}: all organizations share the account of the platform’s key, so nothing of it can be stored or read. Set your own apiKey for the model`
  const needsPrice = upstream.isManaged || hasBudget
  if (needsPrice && priceOf(prices, model) === undefined)
    return `The model ${model} has no price, so its cost cannot be limited or charged. ${whoAdds(upstream)}`
  const uses = format.extraUses(body, tools)
  const unmeasured = uses.find(({ reason }) => reason === 'unmeasured')
  if (unmeasured) return `This run cannot use ${unmeasured.field}: its tokens would not be in the answer`
  if (!allowsInternet) {
    const online = uses.find(({ reason }) => reason === 'internet')?.field ?? findRemoteContent(format, body)
    if (online !== undefined)
      return `This run cannot use ${online}, which may reach the internet from the provider: set network: true on the environment`
  }
  return needsPrice && uses[0] ? notBilledInTokens(uses[0], upstream) : null
}

/** A tool of the provider can have a model of its own, such as one that makes images. A call can name models to fall back to. */
const otherModels = ({ fallbacks }: Body, tools: readonly Tool[]) =>
  [...tools, ...recordsIn(fallbacks)].flatMap(({ model }) => (typeof model === 'string' ? [model] : []))

function notThisModel(models: readonly string[], model: string) {
  const [first = ''] = models
  const others = models.length > 1 ? ` and ${models.slice(1).join(', ')}` : ''
  return `This run can use only ${first}${others}, not ${model}. To allow another model, name it in the definition: models: [{ id: ${first}, also: [${model}] }]`
}

const whoAdds = ({ isManaged }: Upstream) =>
  isManaged
    ? 'Ask the operator to add it to MODEL_PRICES_FILE'
    : 'Ask an admin to add it under Settings, Model providers'

const notBilledInTokens = ({ field }: ExtraUse, { isManaged }: Upstream) =>
  isManaged
    ? `This run cannot use ${field}, which is not billed in tokens: set your own apiKey for the model`
    : `This run cannot use ${field}, which is not billed in tokens, because its cost is limited: remove limits.maxCostUsd and the budget of the submission`

/** What a call costs: an organization may have agreed on other prices for its own keys. */
export const pricesFor = ({ ownPrices }: ModelAccess, { isManaged }: Upstream, prices: ModelPrices): ModelPrices =>
  isManaged ? prices : withOwnPrices(prices, ownPrices)

/** A call without a limit of its own is expected to generate at most this many tokens. */
const usualOutput = 4096
const bytesPerToken = 4

/** A call without a limit of its own can generate at most this many tokens with the models of today. */
const longestOutput = 128_000

/** The most tokens that a call can generate. */
export const mostOutput = ({ format, body }: Pick<Wanted, 'format' | 'body'>): number =>
  Math.max(0, format.maxOutput(body) ?? longestOutput)

/** The likely highest cost of a call before it starts, in US dollars. */
export function estimateCost(prices: ModelPrices, { format, model, body }: Wanted, bytes: number): number {
  const tokens = { cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 }
  const output = format.maxOutput(body) ?? usualOutput
  return costOfCall(prices, model, { ...tokens, input: bytes / bytesPerToken, output }) ?? 0
}
