import type { Server } from 'node:http'
import type { Socket } from 'node:net'

import type { ConnectionError, FastifyInstance, FastifyHttpOptions } from 'fastify'

import type { ErrorBody } from '#contract/errors.ts'

/** What a client may take of the server before anything of its request is looked at. */
export type ConnectionLimits = {
  /** Until the last byte of a request has arrived, its body included. */
  requestMs: number
  headersMs: number
  /** How often late requests are looked for. */
  checkMs: number
  connections: number
}

/** The largest body arrives in a minute over half a megabit a second. Each connection takes one of the process's open files. */
export const defaultConnectionLimits: ConnectionLimits = {
  requestMs: 60_000,
  headersMs: 15_000,
  checkMs: 5000,
  connections: 2000,
}

export const connectionOptions = ({ requestMs, headersMs, checkMs }: ConnectionLimits) =>
  ({
    requestTimeout: requestMs,
    http: { requestTimeout: requestMs, headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
    clientErrorHandler: answerUnread,
  }) satisfies FastifyHttpOptions<Server>

/** Further connections are closed at once, until others have ended. */
export function limitConnections(app: FastifyInstance, { connections }: ConnectionLimits) {
  app.server.maxConnections = connections
  let warnedAt = 0
  app.server.on('drop', () => {
    if (Date.now() - warnedAt < 60_000) return
    warnedAt = Date.now()
    app.log.warn({ connections }, 'connections are refused: there are as many as are allowed')
  })
}

const reasons: Record<string, [status: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time; send it again'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large'],
}

/** The envelope for requests that no route will see. */
function answerUnread(error: ConnectionError, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, message] = reasons[error.code] ?? ['400 Bad Request', 'The request is not valid HTTP']
  const body = JSON.stringify({ error: 'invalid_argument', message } satisfies ErrorBody)
  const headers = ['connection: close', 'content-type: application/json', `content-length: ${body.length}`]
  if (socket.writable) socket.write([`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n'))
  socket.destroy(error)
}
