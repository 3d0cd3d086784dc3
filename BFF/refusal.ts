import { Readable } from 'node:stream'

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { type ErrorBody, type ErrorCode, errorStatus } from '#contract/errors.ts'
import { bodyTooLate } from '#server-kit/keyless-requests.ts'
import { respondAndDrain, bodyTooLarge, describeRequestFault } from '#server-kit/request-faults.ts'

/** An error that the caller may read, in the API's own envelope. Every other error becomes `internal`. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly headers: Record<string, string>
  /** Set if it differs from the status of the code. */
  readonly status: number | undefined

  constructor(code: ErrorCode, message: string, headers: Record<string, string> = {}, status?: number) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.headers = headers
    this.status = status
  }
}

export function addErrorHandler(app: FastifyInstance) {
  app.setErrorHandler(sendError)
}

export function sendError(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toRefusal(error, request.routeOptions.bodyLimit)
  if (refusal.code === 'internal') request.log.error({ err: error }, 'unexpected error')
  const body: ErrorBody = { error: refusal.code, message: refusal.message, requestId: request.id }
  void reply
    .code(refusal.status ?? errorStatus[refusal.code])
    .headers({ 'cache-control': 'no-store', ...refusal.headers })
  if (!('code' in error) || error.code !== bodyTooLarge) return reply.send(body)
  const response = JSON.stringify(body)
  return reply
    .headers({ connection: 'close', 'content-length': Buffer.byteLength(response) })
    .type('application/json; charset=utf-8')
    .send(Readable.from(respondAndDrain(response, request.raw)))
}

function toRefusal(error: FastifyError | Refusal, bodyLimit: number | undefined) {
  if (error instanceof Refusal) return error
  // Fastify's own errors for a request it cannot parse: malformed URL, invalid JSON, body too large.
  const status = error.statusCode ?? 500
  if (status === 403 || status === 404) return new Refusal('not_found', 'No such route')
  if (status >= 400 && status < 500)
    return new Refusal(
      'invalid_argument',
      describeRequestFault(error.code, bodyLimit ?? 0),
      {},
      error.code === bodyTooLate ? 408 : undefined,
    )
  return new Refusal('internal', 'Something went wrong on the server')
}
