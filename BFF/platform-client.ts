import type { FastifyRequest } from 'fastify'
import { Pool } from 'undici'
import { z } from 'zod'

import type { BffConfig } from './bff-config.ts'
import { Refusal } from './refusal.ts'
import { type SignInMethod, signInHeader, WhoAmI, whoami } from '#contract/identity.ts'

const healthTimeoutMs = 1000

/** A header value may contain nothing else; undici would throw. */
const printable = /^[\x21-\x7e]+$/

export type PlatformClient = ReturnType<typeof connectPlatform>

/** Keep-alive connections to the platform, and the two requests that the BFF makes for itself. */
export function connectPlatform(config: BffConfig) {
  const basePath = config.platformUrl.pathname.replace(/\/$/, '')
  const pool = new Pool(config.platformUrl.origin, {
    connections: 256,
    connect: { timeout: 5000 },
    headersTimeout: config.platformTimeoutMs,
    bodyTimeout: config.platformTimeoutMs,
  })
  const rootPath = (path: string) => basePath + path

  return {
    pool,
    rootPath,

    /**
     * Returns the owner of a key: the person's id, or the key's own id for an organization key; null for an unknown
     * key. With `signIn`, the platform records a sign-in.
     */
    async findPerson(apiKey: string, signIn?: { method: SignInMethod; request: FastifyRequest }) {
      if (!printable.test(apiKey)) return null
      const { statusCode, body } = await pool
        .request({
          method: whoami.method,
          path: rootPath(whoami.base + whoami.path),
          headers: { ...(signIn && headersOfSignIn(signIn)), authorization: `Bearer ${apiKey}` },
        })
        .catch(() => {
          throw platformUnavailable()
        })
      const text = await body.text()
      if (statusCode === 401) return null
      const response = statusCode === 200 ? Caller.safeParse(readJson(text)) : undefined
      if (!response?.success) throw platformUnavailable()
      return response.data.actor.id
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

const headersOfSignIn = ({ method, request }: { method: SignInMethod; request: FastifyRequest }) => ({
  [signInHeader]: method,
  'x-forwarded-for': request.ip,
  'x-request-id': request.id,
})

/** Parses only the field the BFF needs, because a newer platform may change the rest. */
const Caller = z.object({ actor: WhoAmI.shape.actor.pick({ id: true }) })

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const platformUnavailable = () => new Refusal('unavailable', 'The Experiment Platform is not responding')
