import type { ModelPrices } from '#platform/ground/models/model-prices.ts'
import { isRecord } from '#platform/engine/model-gateway/formats/json-shapes.ts'
import type { Route, WireFormat } from '#platform/engine/model-gateway/formats/wire-format.ts'
import { estimateCost, mostOutput, type ModelAccess, pricesFor, type Upstream, whyNotAllowed } from './model-access.ts'
import { CallRefusal, type Question } from './read-call.ts'

/** A question that may pass. Its parsed body is no longer in memory, where it can take 20 times the size of its bytes. */
export type CheckedQuestion = {
  model: string
  /** The size of the question that the client sent. */
  bytes: number
  /** The body for the provider. */
  sent: Buffer
  /** The gateway asks for the usage, and the client did not. */
  asksUsage: boolean
  /** The likely highest cost in US dollars. */
  estimate: number
  /** The most tokens that the call can generate. */
  mostOutput: number
  /** The provider sends tokens as it generates them, and stops when nobody receives them. */
  isStream: boolean
}

export type QuestionTerms = { access: ModelAccess; prices: ModelPrices; hasBudget: boolean }

type Asked = { format: WireFormat; route: Route; upstream: Upstream; question: Question }

/** Throws the refusal of a question that may not pass. */
export function checkQuestion({ access, prices, hasBudget }: QuestionTerms, asked: Asked): CheckedQuestion {
  const { format, route, upstream, question } = asked
  const { model, body, bytes } = question
  const wanted = { format, upstream, model, body }
  const pricesHere = pricesFor(access, upstream, prices)
  const refusal = whyNotAllowed(access, wanted, { prices: pricesHere, hasBudget })
  if (refusal !== null) throw new CallRefusal('permission', refusal)
  const asksUsage = upstream.baseUrl === null && lacksUsage(route, body)
  const notStored = upstream.isManaged ? format.notStored(route, body) : null
  const more = { ...(asksUsage && usageOptions(body)), ...notStored }
  return {
    model,
    bytes: bytes.byteLength,
    sent: Object.keys(more).length > 0 ? Buffer.from(JSON.stringify({ ...body, ...more })) : bytes,
    asksUsage,
    mostOutput: mostOutput(wanted),
    isStream: body['stream'] === true || /:stream/.test(route.path ?? ''),
    estimate: estimateCost(pricesHere, wanted, bytes.byteLength),
  }
}

const lacksUsage = ({ api }: Route, body: Question['body']) => {
  const options = body['stream_options']
  return api === 'chat' && body['stream'] === true && !(isRecord(options) && options['include_usage'] === true)
}

const usageOptions = ({ stream_options: options }: Question['body']) => ({
  stream_options: { ...(isRecord(options) && options), include_usage: true },
})
