import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

import type { Dispatcher } from 'undici'

import type { ModelPrices } from '#platform/ground/models/model-prices.ts'
import type { ProviderName } from '#platform/ground/models/providers.ts'
import type { Masker } from '#platform/inputs/secrets/masking/masker.ts'
import type { BodyMemory } from './body-memory.ts'
import type { Budget } from './budget.ts'
import type { CallRecord } from './call-record.ts'
import type { CheckedQuestion } from './check-question.ts'
import { callUpstream, cutOff, UpstreamFailure } from './call-upstream.ts'
import type { Route } from '#platform/engine/model-gateway/formats/wire-format.ts'
import { measureAnswer } from './measure-answer.ts'
import { mayHaveGenerated, measuredCall } from './measured-call.ts'
import { type ModelAccess, pricesFor, type Upstream } from './model-access.ts'
import { type BodyPace, CallRefusal, passedQuery, readBody, type Target } from './read-call.ts'
import { readQuestionApart } from './read-question-apart.ts'
import type { AddressOwner } from './open-dispatchers.ts'
import { relayAnswer } from './relay-answer.ts'

/** What the calls of one run share. */
export type CallContext = {
  access: ModelAccess
  prices: ModelPrices
  budgets: readonly Budget[]
  /** The operator's addresses of providers. They may be private. */
  addresses: Partial<Record<ProviderName, string>>
  dispatcherFor: (address: { url: string; owner: AddressOwner }) => Promise<Dispatcher>
  /** The room for the bodies of this run's requests. */
  memory: BodyMemory
  /** How fast bodies must arrive, if not as usual. */
  bodyPace?: BodyPace | undefined
  /** Masks the key of an upstream in its answers. */
  keyMasker: (upstream: Upstream) => Masker
  /** Aborts calls in flight at the end of the run. */
  signal: AbortSignal
  onBudgetHit: (budget: Budget) => void
}

type Progress = Omit<CallRecord, 'seq' | 'startedAt' | 'durationMs'>

export const noProgress = (provider: ProviderName, { api }: Route): Progress => ({
  provider,
  api,
  model: null,
  answeredModel: null,
  status: null,
  refused: false,
  inputTokens: null,
  cachedTokens: null,
  outputTokens: null,
  tokenSource: 'none',
  costUsd: null,
  firstByteMs: null,
  error: null,
})

/** A request that may pass, and the kind of call that it is. */
export type Call = Target & { route: Route }

type Exchange = { request: IncomingMessage; response: ServerResponse; target: Call; progress: Progress; clock: number }

/** Answers one call of a client with the answer of its provider. `progress` says afterwards how it went. */
export async function answerCall(context: CallContext, exchange: Exchange) {
  const { target, request, progress } = exchange
  const { provider, route } = target
  const upstream = context.access.upstreams[provider]
  if (!upstream) throw new CallRefusal('permission', noUpstream(provider))
  const query = passedQuery(target)
  progress.model = route.model ?? null
  if (route.api === 'models') {
    await forward(context, exchange, { upstream, route, query, question: null })
    return
  }
  const held = await readBody(request, context.memory, context.bodyPace)
  try {
    const terms = { access: context.access, prices: context.prices, hasBudget: context.budgets.length > 0 }
    const { organizationId } = context.memory
    const asked = { provider, route, upstream, terms }
    const question = await readQuestionApart(
      asked,
      { bytes: held.bytes, organizationId },
      (model) => (progress.model = model),
    )
    await answerQuestion(context, exchange, { upstream, route, query, question })
  } finally {
    held.release()
  }
}

async function answerQuestion(
  context: CallContext,
  exchange: Exchange,
  asking: Forwarded & { question: CheckedQuestion },
) {
  const { progress } = exchange
  if (asking.route.api === 'count') {
    await forward(context, exchange, asking)
    return
  }
  const settle: ((cost: number) => void)[] = []
  try {
    for (const budget of context.budgets) {
      const end = await budget.admit(asking.question.estimate, context.signal)
      if (!end) {
        context.onBudgetHit(budget)
        throw new CallRefusal('budget', whyOverBudget(budget))
      }
      settle.push(end)
    }
    await forward(context, exchange, asking)
  } finally {
    for (const end of settle) end(progress.costUsd ?? 0)
  }
}

const noUpstream = (provider: string) =>
  `This run has no access to models of ${provider}: set an apiKey for a model of ${provider} in the definition`

const whyOverBudget = ({ maxUsd, spent }: Pick<Budget, 'maxUsd' | 'spent'>) =>
  `The limit of $${maxUsd} for model calls is reached: $${spent().toFixed(4)} spent`

type Forwarded = { upstream: Upstream; route: Route; query: string; question: CheckedQuestion | null }

async function forward(context: CallContext, exchange: Exchange, { upstream, route, query, question }: Forwarded) {
  const { request, response, target, progress } = exchange
  const { format, path, provider } = target
  const operators = context.addresses[provider]
  const owner = upstream.baseUrl !== null ? 'definition' : operators === undefined ? 'provider' : 'operator'
  const baseUrl = upstream.baseUrl ?? operators ?? format.baseUrl
  const url = format.urlOf(baseUrl.replace(/\/+$/, ''), path) + query
  const isFree = question === null || route.api === 'count'
  const measure = measureAnswer(format, question?.bytes ?? 0)
  const prices = pricesFor(context.access, upstream, context.prices)
  let sentAt = performance.now()
  const charge = () => {
    if (isFree) return
    const cutAtTokens = context.signal.aborted ? mayHaveGenerated(question, performance.now() - sentAt) : 0
    Object.assign(progress, measuredCall(prices, question, measure.read(cutAtTokens)))
  }
  const dispatcher = await context.dispatcherFor({ url, owner })
  sentAt = performance.now()
  const answer = await callUpstream({
    format,
    upstream,
    url,
    method: request.method ?? '',
    headers: request.headers,
    body: question?.sent,
    dispatcher,
    signal: context.signal,
  }).catch((error: unknown) => {
    // The provider was at work when the run ended, so its question is charged.
    if (context.signal.aborted) charge()
    throw error
  })
  progress.status = answer.status
  if (answer.status === 401) {
    answer.body.on('error', () => {}).destroy()
    // The provider's own message repeats a part of the key.
    throw new UpstreamFailure(
      `${provider} refused the API key of ${upstream.isManaged ? 'this platform' : 'this experiment'}`,
      { blame: upstream.isManaged ? 'operator' : 'definition' },
    )
  }
  const isStream = String(answer.headers['content-type'] ?? '').includes('text/event-stream')
  response.writeHead(answer.status, shownHeaders(answer.headers))
  try {
    await relayAnswer({
      body: answer.body,
      isStream,
      hidesUsage: question?.asksUsage === true && isStream,
      mask: context.keyMasker(upstream).stream(),
      response,
      onPart: measure.add,
      onUnread: measure.addUnread,
      onFirstByte: () => (progress.firstByteMs = performance.now() - exchange.clock),
    })
  } catch (error) {
    throw new UpstreamFailure(cutOff, { cause: error })
  } finally {
    progress.error = measure.read().error
    if (answer.status < 300) charge()
  }
}

/** Headers that clients use. Others name the account that owns the key. */
const shown =
  /^(content-type|retry-after|retry-after-ms|x-should-retry|request-id|x-request-id|x-ratelimit-.+|anthropic-ratelimit-.+|openai-(version|processing-ms|model))$/

const shownHeaders = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string] => shown.test(entry[0]) && entry[1] !== undefined,
    ),
  )
