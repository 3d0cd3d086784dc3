import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import { messageOf } from '#contract/wire/message-of.ts'
import type { ProviderName } from '#platform/ground/models/providers.ts'
import { createMasker, type Masker } from '#platform/inputs/secrets/masking/masker.ts'
import { answerCall, type Call, type CallContext, noProgress } from './answer-call.ts'
import type { Budget } from './budget.ts'
import { createCallLog } from './call-log.ts'
import { type CallRecord, createTotals } from './call-record.ts'
import { cutOff, type ModelOutage, type UpstreamBlame, UpstreamFailure } from './call-upstream.ts'
import { hasToken } from './read-token.ts'
import type { Upstream } from './model-access.ts'
import { CallRefusal, readTarget, type Target, WorkerBusy } from './read-call.ts'
import { wireFormats } from '#platform/engine/model-gateway/formats/all-formats.ts'
import type { Refusal } from '#platform/engine/model-gateway/formats/wire-format.ts'

export type RunGatewayOptions = Omit<CallContext, 'signal' | 'onBudgetHit' | 'keyMasker'> & {
  /** Valid until the gateway closes. */
  token: string
  /** Hides the secrets of the run in texts that are shown. */
  mask: (text: string) => string
  writeCalls: (records: readonly CallRecord[]) => Promise<void>
  /** Called after a client has learned that a budget is used up. */
  onBudgetHit: (budget: Budget) => void
}

export type RunGateway = ReturnType<typeof openRunGateway>

/** Calls of one run at the same time, those whose client has left included. */
const maxCallsAtOnce = 32

/** Connections of one run: each is an open file of the worker, which others need too. */
const maxConnections = 256

/** Of each text in the record of a call. */
const maxTextLength = 2000

/** The port of the gateway in the network of a run. */
export const gatewayPort = 8600

/** Opens the gateway of one run attempt. No other run can connect to it, and only its agent has the token. */
export function openRunGateway(options: RunGatewayOptions) {
  const totals = createTotals()
  const log = createCallLog(options.writeCalls)
  const stopping = new AbortController()
  const inFlight = new Set<Promise<void>>()
  let isOpen = true
  let seq = 0
  let connections = 0
  let lastFailure: ModelOutage | null = null

  const record = async (call: CallRecord) => {
    totals.add(call)
    log.push(call)
    if (options.budgets.length > 0) await log.flush()
  }
  const shown = (text: string | null) => (text === null ? null : options.mask(text).slice(0, maxTextLength))
  const context: CallContext = {
    ...options,
    keyMasker: keyMaskers(),
    signal: stopping.signal,
    onBudgetHit: () => {},
  }
  const serve = async (request: IncomingMessage, response: ServerResponse, target: Call) => {
    const startedAt = new Date().toISOString()
    const clock = performance.now()
    const progress = noProgress(target.provider, target.route)
    let hit: Budget | undefined
    let failure: unknown = null
    try {
      if (!isOpen || !hasToken(options.token, request.headers, target.query))
        throw new CallRefusal('authentication', 'The token does not belong to this run, or its agent has ended')
      if (inFlight.size >= maxCallsAtOnce)
        throw new CallRefusal('busy', `A run can have at most ${maxCallsAtOnce} model calls at once`)
      const withHit = { ...context, onBudgetHit: (budget: Budget) => (hit = budget) }
      await answerCall(withHit, { request, response, target, progress, clock })
      if (progress.status !== null && progress.status < 300 && progress.tokenSource !== 'none') lastFailure = null
    } catch (error) {
      progress.error = messageOf(error)
      progress.refused = error instanceof CallRefusal
      failure = error
      progress.status = refuse(response, target, error) ?? progress.status
    }
    progress.model = shown(progress.model)
    progress.answeredModel = shown(progress.answeredModel)
    progress.error = shown(progress.error)
    if (failure instanceof WorkerBusy) lastFailure = { reason: failure.message, blame: 'worker' }
    if (isOutage(progress) && !stopping.signal.aborted) {
      const isManaged = options.access.upstreams[target.provider]?.isManaged ?? false
      lastFailure = { reason: reasonOf(progress), blame: blameFor(failure, progress, isManaged) }
    }
    await record({ ...progress, seq: (seq += 1), startedAt, durationMs: performance.now() - clock })
    response.end()
    if (hit && !stopping.signal.aborted) options.onBudgetHit(hit)
  }
  const server = createServer({ maxHeaderSize: 32 * 1024 }, (request, response) => {
    response.on('error', () => {})
    const target = readTarget(request.url ?? '')
    const route = target?.format.routeOf(request.method ?? '', target.path)
    if (!target || !route) {
      // Clients try such paths to find out whether a server is there, so these are no calls.
      const { status, body } = notFound(target, request.method ?? '')
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      return
    }
    const serving = serve(request, response, { ...target, route }).finally(() => inFlight.delete(serving))
    inFlight.add(serving)
  })
  server.maxConnections = maxConnections
  return {
    onConnection(connection: Socket) {
      if (connections >= maxConnections) {
        connection.destroy()
        return
      }
      connections += 1
      connection.once('close', () => (connections -= 1))
      server.emit('connection', connection)
    },
    /** For sandboxes without networks of their own. Resolves to the port on the host's loopback address. */
    async listen() {
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      return (server.address() as AddressInfo).port
    },
    totals: totals.read,
    /** The reason if the last call failed because of its provider. */
    outage: () => lastFailure,
    /** Ends the token. Calls in flight may end within `graceMs`, so that their cost is known. */
    async close(graceMs: number) {
      isOpen = false
      const timer = setTimeout(() => stopping.abort(), graceMs)
      await Promise.allSettled(inFlight)
      clearTimeout(timer)
      stopping.abort()
      if (server.listening) {
        server.close()
        server.closeAllConnections()
      }
      await log.close()
    },
  }
}

/** Builds the masker of each key once, because that of a long key takes much time and memory. */
function keyMaskers() {
  const built = new Map<Upstream, Masker>()
  return (upstream: Upstream) => {
    const masker = built.get(upstream) ?? createMasker([{ slug: 'model-key', value: upstream.key }])
    built.set(upstream, masker)
    return masker
  }
}

function notFound(target: Target | null, method: string) {
  const message = `The model gateway does not support ${method} ${target?.path ?? ''}`
  return (target?.format ?? wireFormats.openai).error('not-found', message)
}

/** Answers in the provider's format and returns the status. Cuts an answer that has started, and returns null. */
function refuse(response: ServerResponse, { format }: Call, error: unknown): number | null {
  if (response.headersSent) {
    response.destroy()
    return null
  }
  const [refusal, message] = sentenceOf(error)
  const { status, body } = format.error(refusal, message)
  const again = canRetry(refusal) ? { 'x-should-retry': 'true', 'retry-after': '2' } : { 'x-should-retry': 'false' }
  response.writeHead(status, { 'content-type': 'application/json', ...again })
  response.write(JSON.stringify(body))
  return status
}

/** Whether the same request may succeed a moment later. Clients of models wait and send it again by themselves. */
const canRetry = (refusal: Refusal) => refusal === 'busy' || refusal === 'too-slow'

function sentenceOf(error: unknown): [Refusal, string] {
  if (error instanceof CallRefusal) return [error.refusal, error.message]
  if (error instanceof UpstreamFailure) return ['upstream', error.message]
  return ['upstream', 'The model gateway failed']
}

type Ended = Pick<CallRecord, 'status' | 'refused' | 'error'> & { provider: ProviderName }

/** Whether the provider failed: it refused the key, had no capacity or did not answer whole. */
const isOutage = ({ status, refused, error }: Ended) =>
  !refused && (status === null || status === 401 || status === 429 || status >= 500 || error === cutOff)

/** The quota of a key belongs to its owner. A provider without capacity answers 5xx. */
function blameFor(failure: unknown, { status }: Pick<Ended, 'status'>, isManaged: boolean): UpstreamBlame {
  if (failure instanceof UpstreamFailure) return failure.blame
  return status === 429 && !isManaged ? 'definition' : 'provider'
}

const reasonOf = ({ provider, status, error }: Ended) =>
  error ?? (status === 429 ? `${provider} answered 429: too many requests` : `${provider} answered ${status}`)
