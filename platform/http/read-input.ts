import type { z } from 'zod'

import { type Endpoint, readBodyFields, readQueryFields } from '#contract/endpoint.ts'
import type { ErrorIssue } from '#contract/errors.ts'
import { toSnakeCaseFields } from '#contract/wire/field-names.ts'
import { invalid } from '#platform/failure.ts'
import { refuseUnstorableText } from '#platform/refuse-unstorable-text.ts'

type ReceivedRequest = { params: unknown; query: unknown; body: unknown }

/** Everything a request says to its endpoint, parsed; throws `invalid_argument` naming each field that is wrong. */
export function readInput(endpoint: Endpoint, request: ReceivedRequest): Record<string, unknown> {
  for (const part of [request.params, request.query, request.body]) refuseUnstorableText(part)
  const query = readQueryFields(endpoint, request.query as Record<string, unknown>)
  const sendsBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
  const body = sendsBody ? readBodyFields(endpoint, request.body) : {}
  if (typeof body === 'string') throw invalid('This route takes a JSON body (Content-Type: application/json)')
  return {
    ...parseFields(endpoint.query, query, asSent),
    ...parseFields(endpoint.body, body),
    ...(request.params as Record<string, string>),
  }
}

/** Query parameters are snake_case on the wire, whatever our schema calls them. */
const asSent = (name: string) => Object.keys(toSnakeCaseFields({ [name]: null }))[0] ?? name

function parseFields(schema: z.ZodObject, fields: unknown, nameOf = (name: string) => name): Record<string, unknown> {
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }): ErrorIssue => ({
    path: path.map((name) => nameOf(String(name))).join('.'),
    message,
  }))
  throw invalid(issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '), issues)
}
