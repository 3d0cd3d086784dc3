import type { FastifyRequest } from 'fastify'
import { type Dispatcher, Pool } from 'undici'

import type { BffConfig } from './bff-config.ts'
import { Refusal } from './refusal.ts'
import { type SignInMethod, signInHeader, WhoAmI, whoami } from '#contract/identity.ts'

const healthTimeoutMs = 1000

/** A header value may contain nothing else; undici would throw. */
const printable = /^[\x21-\x7e]+$/

export type PlatformClient = ReturnType<typeof connectPlatform>

export type PlatformLimits = {
  /** Requests in progress at the platform. */
  connections: number
  /** Further requests wait for one of them, and beyond this number they are refused. */
  waiting: number
  /**
   * Requests of visitors, who have no session, have connections of their own: strangers who read slowly hold up nobody who
   * is signed in. A visitor's answer ends after so long.
   */
  visitors?: { connections: number; waiting: number; answerMs: number }
}

const defaultPlatformLimits: PlatformLimits = { connections: 256, waiting: 2000 }
const defaultVisitorLimits = { connections: 32, waiting: 500, answerMs: 120_000 }

/** Keep-alive connections to the platform, and the two requests that the BFF makes for itself. */
export function connectPlatform(config: BffConfig, limits = defaultPlatformLimits) {
  const basePath = config.platformUrl.pathname.replace(/\/$/, '')
  const { pool, request } = openPool(config, limits)
  const { answerMs, ...visitorLimits } = limits.visitors ?? defaultVisitorLimits
  const visitors = openPool(config, visitorLimits)
  const rootPath = (path: string) => basePath + path

  return {
    request,
    requestForVisitor: (options: Dispatcher.RequestOptions) =>
      visitors.request({ ...options, signal: AbortSignal.timeout(answerMs) }),
    rootPath,
    close: () => Promise.all([pool.destroy(), visitors.pool.destroy()]),

    /**
     * Returns the owner of a key: the person's id, or the key's own id for an organization key; null for an unknown
     * key. `isProven` is false for a person whose address nobody has proven. With `signIn`, the platform records a sign-in.
     */
    async findPerson(apiKey: string, signIn?: { method: SignInMethod; request: FastifyRequest }) {
      if (!printable.test(apiKey)) return null
      const { statusCode, body } = await request({
        method: whoami.method,
        path: rootPath(whoami.base + whoami.path),
        headers: { ...(signIn && headersOfSignIn(signIn)), authorization: `Bearer ${apiKey}` },
      }).catch((error: unknown) => {
        throw platformUnavailable(error)
      })
      const text = await body.text()
      if (statusCode === 401) return null
      const response = statusCode === 200 ? Caller.safeParse(readJson(text)) : undefined
      if (!response?.success) throw platformUnavailable()
      return { id: response.data.actor.id, isProven: response.data.isUnproven !== true }
    },

    async isHealthy() {
      try {
        const signal = AbortSignal.timeout(healthTimeoutMs)
        const { statusCode, body } = await pool.request({ method: 'GET', path: rootPath('/healthz'), signal })
        await body.dump()
        return statusCode === 200
      } catch {
        return false
      }
    },
  }
}

function openPool(config: BffConfig, limits: { connections: number; waiting: number }) {
  const pool = new Pool(config.platformUrl.origin, {
    connections: limits.connections,
    connect: { timeout: 5000 },
    headersTimeout: config.platformTimeoutMs,
    bodyTimeout: config.platformTimeoutMs,
  })

  /** Throws a Refusal when too many requests wait. The time that a request waits counts as time of the platform. */
  async function request({ signal, ...options }: Dispatcher.RequestOptions & { signal?: AbortSignal }) {
    if (pool.stats.queued >= limits.waiting) throw tooBusy()
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error('The platform took too long')), config.platformTimeoutMs)
    const response = pool.request({ ...options, signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal })
    try {
      // undici notices the end of a signal only when it sends the request.
      return await Promise.race([response, rejectionOf(late.signal)])
    } finally {
      clearTimeout(timer)
    }
  }
  return { pool, request }
}

const headersOfSignIn = ({ method, request }: { method: SignInMethod; request: FastifyRequest }) => ({
  [signInHeader]: method,
  'x-forwarded-for': request.ip,
  'x-request-id': request.id,
})

/** Parses only the fields the BFF needs, because a newer platform may change the rest. */
const Caller = WhoAmI.pick({ isUnproven: true }).extend({ actor: WhoAmI.shape.actor.pick({ id: true }) })

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const rejectionOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

const tooBusy = () =>
  new Refusal('unavailable', 'The server has too many requests right now. Try again in a moment', {
    'retry-after': '1',
  })

/** The refusal for a request that failed; it may already be one. */
export const platformUnavailable = (error?: unknown) =>
  error instanceof Refusal
    ? error
    : new Refusal('unavailable', 'The Experiment Platform is not responding', { 'retry-after': '2' })
