import { Readable } from 'node:stream'

import type { FastifyInstance } from 'fastify'

import {
  type ConnectionLimits as AnyConnectionLimits,
  connectionOptions as optionsOf,
  defaultTimes,
} from '#server-kit/limit-connections.ts'
import { readInTime } from '#server-kit/keyless-requests.ts'

export type ConnectionLimits = AnyConnectionLimits & {
  /**
   * Milliseconds without a byte in either direction. A client that does not read its response occupies a connection to
   * the platform.
   */
  silenceMs: number
}

/** A browser opens up to six connections, so this is enough for eight hundred browsers. */
export const defaultConnectionLimits: ConnectionLimits = { ...defaultTimes, silenceMs: 180_000, connections: 5000 }

export const connectionOptions = (limits: ConnectionLimits) => ({
  ...optionsOf(limits),
  connectionTimeout: limits.silenceMs,
})

const apiRoute = /^\/(api|admin)\/v1\//

/** Limits the time for the bodies of all routes without a session. Those of the API are read only with a session. */
export function limitKeylessBodies(app: FastifyInstance, { keylessBodyMs }: ConnectionLimits) {
  app.addHook('preParsing', async ({ raw, routeOptions: { url } }, _reply, body) => {
    if (apiRoute.test(url ?? '')) return body
    const parts: AsyncIterator<Buffer> = raw.iterator({ destroyOnReturn: false })
    return Readable.from(readInTime(parts, keylessBodyMs), { objectMode: false })
  })
}
