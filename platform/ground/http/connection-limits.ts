import type { Server } from 'node:http'
import type { Socket } from 'node:net'

import type { ConnectionError, FastifyInstance, FastifyHttpOptions } from 'fastify'

import { keylessLimits } from '#contract/wire/keyless-requests.ts'
import { responseToUnread } from '#contract/wire/unread-request.ts'

/** The resources that a client can use before the server reads its request. */
export type ConnectionLimits = {
  /** The time for the whole request to arrive, including its body. */
  requestMs: number
  headersMs: number
  /** The interval between checks for late requests. */
  checkMs: number
  connections: number
  /** Requests in progress of callers with a key. An organization can have half of them. */
  requests: number
  /** Requests in progress on each route that needs no key. */
  keylessRequests: number
  /** The time for the body of a request without a key to arrive. */
  keylessBodyMs: number
}

/**
 * At half a megabit a second the largest body arrives in a minute. Each connection uses one of the process's open
 * files.
 */
export const defaultConnectionLimits: ConnectionLimits = {
  requestMs: 60_000,
  headersMs: 15_000,
  checkMs: 5000,
  connections: 2000,
  requests: 1000,
  keylessRequests: 50,
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
