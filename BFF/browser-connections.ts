import type { Server } from 'node:http'
import type { Socket } from 'node:net'

import type { ConnectionError, FastifyInstance, FastifyHttpOptions } from 'fastify'

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
}

/** A browser opens up to six connections, so this is enough for eight hundred browsers. */
export const defaultConnectionLimits: ConnectionLimits = {
  requestMs: 60_000,
  headersMs: 15_000,
  checkMs: 5000,
  silenceMs: 180_000,
  connections: 5000,
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

/** Responds to a request that fails before the framework can parse it. */
function answerUnread(error: ConnectionError, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(responseToUnread(error.code))
  socket.destroy(error)
}
