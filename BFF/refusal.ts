import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { type ErrorBody, type ErrorCode, errorStatus } from '#contract/errors.ts'

/** A refusal the caller may read, in the API's own envelope. Everything else becomes `internal`. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.headers = headers
  }
}

export function answerErrors(app: FastifyInstance) {
  app.setErrorHandler(sendError)
}

export function sendError(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toRefusal(error)
  if (refusal.code === 'internal') request.log.error({ err: error }, 'unexpected error')
  const body: ErrorBody = { error: refusal.code, message: refusal.message, requestId: request.id }
  return reply
    .code(errorStatus[refusal.code])
    .headers({ 'cache-control': 'no-store', ...refusal.headers })
    .send(body)
}

function toRefusal(error: FastifyError | Refusal) {
  if (error instanceof Refusal) return error
  // Fastify's own refusals of a request it could not read: bad URL, bad JSON, body too large.
  const status = error.statusCode ?? 500
  if (status === 403 || status === 404) return new Refusal('not_found', 'No such route')
  if (status >= 400 && status < 500) return new Refusal('invalid_argument', error.message)
  return new Refusal('internal', 'Something went wrong on our side')
}
