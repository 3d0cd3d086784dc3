import type { Server } from 'node:http'
import type { Socket } from 'node:net'

import type { ConnectionError, FastifyHttpOptions, FastifyInstance } from 'fastify'

import { keylessLimits } from './keyless-requests.ts'
import { responseToUnread } from './unread-request.ts'

/** The resources that a client can use before a server reads its request. */
export type ConnectionLimits = {
  /** The time for the whole request to arrive, including its body. */
  requestMs: number
  headersMs: number
  /** The interval between checks for late requests. */
  checkMs: number
  connections: number
  /** The time for the body of a request without a key or a session to arrive. */
  keylessBodyMs: number
}

/** At half a megabit a second the largest body arrives in a minute. */
export const defaultTimes = {
  requestMs: 60_000,
  headersMs: 15_000,
  checkMs: 5000,
  keylessBodyMs: keylessLimits.bodyMs,
}

export const connectionOptions = ({ requestMs, headersMs, checkMs }: ConnectionLimits) =>
  ({
    requestTimeout: requestMs,
    http: { requestTimeout: requestMs, headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
    clientErrorHandler: answerUnread,
  }) satisfies FastifyHttpOptions<Server>

/** Closes new connections at once while their number is at the limit. */
export function limitConnections(app: FastifyInstance, { connections }: ConnectionLimits) {
  app.server.maxConnections = connections
  let warnedAt = 0
  app.server.on('drop', () => {
    if (Date.now() - warnedAt < 60_000) return
    warnedAt = Date.now()
    app.log.warn({ connections }, 'rejecting connections: the limit is reached')
  })
}

/** Answers a request that ends before the framework can read it. */
function answerUnread(error: ConnectionError, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(responseToUnread(error.code))
  socket.destroy(error)
}
