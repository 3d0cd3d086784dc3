import { Pool } from 'undici'

import type { Config } from '#bff/config.ts'
import { Refusal } from '#bff/refusal.ts'
import { whoami } from '#contract/identity.ts'

const healthTimeoutMs = 1000

/** A header value cannot hold anything else, and undici would throw. */
const printable = /^[\x21-\x7e]+$/

export type PlatformClient = ReturnType<typeof connectPlatform>

/** Keep-alive connections to the platform, and the two questions the BFF asks on its own account. */
export function connectPlatform(config: Config) {
  const basePath = config.platformUrl.pathname.replace(/\/$/, '')
  const pool = new Pool(config.platformUrl.origin, {
    connections: 64,
    connect: { timeout: 5000 },
    headersTimeout: config.platformTimeoutMs,
    bodyTimeout: config.platformTimeoutMs,
  })
  const rootPath = (path: string) => basePath + path
  const apiPath = (path: string) => rootPath(`/api/v1${path}`)

  return {
    pool,
    rootPath,
    apiPath,

    async acceptsKey(apiKey: string) {
      if (!printable.test(apiKey)) return false
      const { statusCode, body } = await pool
        .request({ method: whoami.method, path: apiPath(whoami.path), headers: { authorization: `Bearer ${apiKey}` } })
        .catch(() => {
          throw platformUnavailable()
        })
      await body.dump()
      if (statusCode === 200) return true
      if (statusCode === 401) return false
      throw platformUnavailable()
    },

    async answers() {
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

export const platformUnavailable = () => new Refusal('unavailable', 'The Experiment Platform does not answer')
