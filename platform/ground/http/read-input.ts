import type { z } from 'zod'

import { type Endpoint, readBodyFields, readQueryFields } from '#contract/endpoint.ts'
import { type Fault, faultSentence } from '#contract/plain-messages.ts'
import { readSent } from '#contract/read-sent.ts'
import { invalid, invalidFields } from '#platform/ground/failures/failure.ts'
import { refuseUnstorableText } from '#platform/ground/failures/refuse-unstorable-text.ts'
import { toSentPath, toSnakeCase } from './sent-path.ts'

type ReceivedRequest = { params: unknown; query: unknown; body: unknown }

/** The parsed input of a request for its endpoint. Throws `invalid_argument` with every invalid field. */
export function readInput(endpoint: Endpoint, request: ReceivedRequest): Record<string, unknown> {
  for (const part of [request.params, request.query, request.body]) refuseUnstorableText(part)
  const query = readQueryFields(endpoint, request.query as Record<string, unknown>)
  const sendsBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
  const body = sendsBody ? readBodyFields(endpoint, request.body) : {}
  if (typeof body === 'string') throw invalid('This route needs a JSON body (Content-Type: application/json)')
  const inQuery = ({ path: [name = '', ...rest], message }: Fault) => {
    const wireName = toSnakeCase(String(name))
    const [sentName = wireName] = toSentPath([name], request.query, endpoint.queryAliases)
    const shown = sentName === name ? wireName : sentName
    return { issue: { path: [wireName, ...rest].join('.'), message }, said: faultSentence({ path: [shown], message }) }
  }
  const inBody = ({ path, message }: Fault) => ({
    issue: { path: path.map(String).join('.'), message },
    said: faultSentence({ path: toSentPath(path, request.body, endpoint.bodyAliases), message }),
  })
  return {
    ...parseFields(endpoint.query, query, inQuery),
    ...parseFields(endpoint.body, body, inBody),
    ...(request.params as Record<string, string>),
  }
}

type Describe = Parameters<typeof invalidFields>[1]

function parseFields(schema: z.ZodObject, fields: unknown, describe: Describe): Record<string, unknown> {
  const { data, faults } = readSent(schema, fields)
  if (faults) throw invalidFields(faults, describe)
  return data
}
