import type { FastifyReply, FastifyRequest } from 'fastify'

import { type ErrorBody, type ErrorCode, errorStatus } from '#contract/errors.ts'
import { Failure } from '#platform/failure.ts'

const describe = (error: unknown): Omit<ErrorBody, 'requestId'> & { status: number } => {
  if (error instanceof Failure) {
    const { code, message, issues } = error
    return { status: errorStatus[code], error: code, message, ...(issues && { issues }) }
  }
  if (isRequestFault(error)) return { status: 400, error: 'invalid_argument', message: error.message }
  return {
    status: 500,
    error: 'internal',
    message: 'Something went wrong on our side; the request id finds it in the log',
  }
}

/** Fastify's own refusals of a request it could not read: bad JSON, a body too large, a broken percent-encoding. */
const isRequestFault = (error: unknown): error is Error & { statusCode: number } =>
  error instanceof Error && 'statusCode' in error && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500

/** The one place where errors become responses; an unknown error keeps its cause in the log only. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { status, ...body } = describe(error)
  if (status >= 500) request.log.error({ err: error }, 'request failed')
  return reply.status(status).send({ ...body, requestId: request.id } satisfies ErrorBody)
}

export const sendNotFound = (request: FastifyRequest, reply: FastifyReply) => {
  const error: ErrorCode = 'not_found'
  return reply
    .status(404)
    .send({ error, message: `No route ${request.method} ${request.url.split('?')[0]}`, requestId: request.id })
}
