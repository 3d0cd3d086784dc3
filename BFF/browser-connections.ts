import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

import type { ConnectionError, FastifyInstance, FastifyHttpOptions } from 'fastify'

import { keylessLimits, readInTime } from '#contract/wire/keyless-requests.ts'
import { responseToUnread } from '#contract/wire/unread-request.ts'

/** Limits on what a client can use before the server handles its request. */
export type ConnectionLimits = {
  /** Milliseconds for the whole request to arrive, including its body. */
  requestMs: number
  headersMs: number
  /** Milliseconds between checks for late requests. */
  checkMs: number
  /**
   * Milliseconds without a byte in either direction. A client that does not read its response occupies a connection to
   * the platform.
   */
  silenceMs: number
  connections: number
  /** Milliseconds for the body of a request outside the API, such as a sign-in, to arrive. */
  keylessBodyMs: number
}

/** A browser opens up to six connections, so this is enough for eight hundred browsers. */
export const defaultConnectionLimits: ConnectionLimits = {
  requestMs: 60_000,
  headersMs: 15_000,
  checkMs: 5000,
  silenceMs: 180_000,
  connections: 5000,
  keylessBodyMs: keylessLimits.bodyMs,
}

export const connectionOptions = ({ requestMs, headersMs, checkMs, silenceMs }: ConnectionLimits) =>
  ({
    requestTimeout: requestMs,
    connectionTimeout: silenceMs,
    http: { requestTimeout: requestMs, headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
    clientErrorHandler: answerUnread,
  }) satisfies FastifyHttpOptions<Server>

/** Closes further connections at once until others end. */
export function limitConnections(app: FastifyInstance, { connections }: ConnectionLimits) {
  app.server.maxConnections = connections
  let warnedAt = 0
  app.server.on('drop', () => {
    if (Date.now() - warnedAt < 60_000) return
    warnedAt = Date.now()
    app.log.warn({ connections }, 'rejecting connections: the limit is reached')
  })
}

const apiRoute = /^\/(api|admin)\/v1\//

/** Limits the time for the bodies of all routes without a session. Those of the API are read only with a session. */
export function limitKeylessBodies(app: FastifyInstance, { keylessBodyMs }: ConnectionLimits) {
  app.addHook('preParsing', async ({ raw, routeOptions: { url } }, _reply, body) => {
    if (apiRoute.test(url ?? '')) return body
    const parts: AsyncIterator<Buffer> = raw.iterator({ destroyOnReturn: false })
    return Readable.from(readInTime(parts, keylessBodyMs), { objectMode: false })
  })
}

/** Responds to a request that fails before the framework can parse it. */
function answerUnread(error: ConnectionError, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(responseToUnread(error.code))
  socket.destroy(error)
}
