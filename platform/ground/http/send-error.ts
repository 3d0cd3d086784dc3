import { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { type ErrorBody, type ErrorIssue, errorStatus } from '#contract/errors.ts'
import { readOutage } from '#platform/ground/failures/outage.ts'
import { bodyTooLate } from '#server-kit/keyless-requests.ts'
import { limits } from '#contract/wire/limit.ts'
import { respondAndDrain, bodyTooLarge, describeRequestFault } from '#server-kit/request-faults.ts'
import { Failure } from '#platform/ground/failures/failure.ts'

/** A body may have a million faults, or a fault in one of a million characters. The first ones help its sender. */
const maxIssues = 200
const maxMessageCharacters = 20_000
const maxIssueCharacters = 2000

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…`.toWellFormed() : text)

const cutIssue = (issue: ErrorIssue): ErrorIssue => ({
  ...issue,
  path: cut(issue.path, maxIssueCharacters),
  message: cut(issue.message, maxIssueCharacters),
})

type Described = { status: number; retryAfterSeconds?: number | undefined; body: Omit<ErrorBody, 'requestId'> }

const describe = (error: unknown, bodyLimit: number | undefined): Described => {
  const failure = error instanceof Failure ? error : readOutage(error)
  if (failure) {
    const { code, message, issues, retryAfterSeconds } = failure
    const shown = issues?.slice(0, maxIssues).map(cutIssue)
    const body = { error: code, message: cut(message, maxMessageCharacters), ...(shown && { issues: shown }) }
    return { status: errorStatus[code], retryAfterSeconds, body }
  }
  if (isRequestFault(error)) {
    const message = describeRequestFault(error.code, bodyLimit ?? limits.bodyBytes)
    return { status: error.code === bodyTooLate ? 408 : 400, body: { error: 'invalid_argument', message } }
  }
  return {
    status: 500,
    body: {
      error: 'internal',
      message: 'Something went wrong on the server. Look up the request id in the server log',
    },
  }
}

/** Fastify's own refusals of unreadable requests: invalid JSON, a body that is too large, broken percent-encoding. */
const isRequestFault = (error: unknown): error is Error & { statusCode: number; code?: string } =>
  error instanceof Error && 'statusCode' in error && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500

/** The only place where errors become responses. The cause of an unknown error is only logged. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { status, body, retryAfterSeconds } = describe(error, request.routeOptions.bodyLimit)
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds)
  if (status >= 500) request.log.error({ err: error }, 'request failed')
  const envelope = { ...body, requestId: request.id } satisfies ErrorBody
  if (isRequestFault(error) && error.code === bodyTooLarge) return sendAndDrain(reply.status(status), request, envelope)
  return reply.status(status).send(envelope)
}

function sendAndDrain(reply: FastifyReply, request: FastifyRequest, envelope: ErrorBody) {
  const response = JSON.stringify(envelope)
  return reply
    .headers({ connection: 'close', 'content-length': Buffer.byteLength(response) })
    .type('application/json; charset=utf-8')
    .send(Readable.from(respondAndDrain(response, request.raw)))
}
