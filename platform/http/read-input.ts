import type { z } from 'zod'

import { type Endpoint, readBodyFields, readQueryFields } from '#contract/endpoint.ts'
import type { ErrorIssue } from '#contract/errors.ts'
import { invalid } from '#platform/failure.ts'

type ReceivedRequest = { params: unknown; query: unknown; body: unknown }

/** Everything a request says to its endpoint, parsed; throws `invalid_argument` naming each field that is wrong. */
export function readInput(endpoint: Endpoint, request: ReceivedRequest): Record<string, unknown> {
  const query = readQueryFields(endpoint, request.query as Record<string, unknown>)
  const sendsBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
  const body = sendsBody ? readBodyFields(endpoint, request.body) : {}
  if (typeof body === 'string') throw invalid('This route takes a JSON body (Content-Type: application/json)')
  const input = {
    ...parseFields(endpoint.query, query),
    ...parseFields(endpoint.body, body),
    ...(request.params as Record<string, string>),
  }
  refuseUnstorableText(input)
  return input
}

function parseFields(schema: z.ZodObject, fields: unknown): Record<string, unknown> {
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }): ErrorIssue => ({ path: path.join('.'), message }))
  throw invalid(issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '), issues)
}

/** Neither NUL nor half a surrogate pair can be stored as text; saying so here beats an error from the database. */
function refuseUnstorableText(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalid(`${path}: NUL characters are not allowed`)
    if (!value.isWellFormed()) throw invalid(`${path}: the text is not well-formed Unicode`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      refuseUnstorableText(name, path)
      refuseUnstorableText(inner, path ? `${path}.${name}` : name)
    }
  }
}
