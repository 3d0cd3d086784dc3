import { z } from 'zod'

import { allEndpoints } from '#contract/all-endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { describeFields } from './describe-fields.ts'
import { type JsonSchema, mapSchemas, nameOfRef, refTo, type SharedSchemas } from './json-schema.ts'
import { namedSchemas } from './schemas.ts'

/** `runs.submit` → `RunsSubmit`, the start of the names of its request and response. */
const schemaStem = (endpoint: Endpoint) =>
  endpoint.name.replace(/(^|\.)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

const schemaNames = new Map<z.ZodType, string>(Object.entries(namedSchemas).map(([name, [schema]]) => [schema, name]))

export const hasBody = ({ body }: Endpoint) => Object.keys(body.shape).length > 0

/** Routes with the same body share the name of the first. */
export const requestName = ({ body }: Endpoint) => schemaNames.get(body) ?? ''

export const responseName = ({ response }: Endpoint) => schemaNames.get(response) ?? ''

for (const endpoint of allEndpoints) {
  if (hasBody(endpoint) && !schemaNames.has(endpoint.body))
    schemaNames.set(endpoint.body, `${schemaStem(endpoint)}Request`)
  if (!schemaNames.has(endpoint.response)) schemaNames.set(endpoint.response, `${schemaStem(endpoint)}Response`)
}

const hasJsonResponse = ({ status, responseType, fileTypes }: Endpoint) =>
  status !== 204 && responseType === 'application/json' && fileTypes.length === 0

/** Returns every schema of the API by name, of requests and of responses. */
export function shareSchemas(): SharedSchemas {
  const answers = toJsonSchemas(
    'output',
    allEndpoints.filter(hasJsonResponse),
    responseName,
    ({ response }) => response,
  )
  const requests = toJsonSchemas('input', allEndpoints.filter(hasBody), requestName, ({ body }) => body)
  const shared = { ...withOwnNames(requests, answers), ...answers }
  return Object.fromEntries(
    Object.keys(shared)
      .toSorted()
      .map((name) => [name, describe(name, shared[name] ?? {})]),
  )
}

function describe(name: string, schema: JsonSchema): JsonSchema {
  const [, description] = namedSchemas[name.replace(/Input$/, '')] ?? []
  return { ...(description && { description }), ...describeFields(schema, [name === 'Error' ? 'ErrorBody' : name]) }
}

function toJsonSchemas(
  io: 'input' | 'output',
  endpoints: readonly Endpoint[],
  nameEndpoint: (endpoint: Endpoint) => string,
  pick: (endpoint: Endpoint) => z.ZodType,
): SharedSchemas {
  const registry = z.registry<{ id: string }>()
  for (const [name, [schema]] of Object.entries(namedSchemas)) registry.add(schema, { id: name })
  for (const endpoint of endpoints)
    if (!registry.has(pick(endpoint))) registry.add(pick(endpoint), { id: nameEndpoint(endpoint) })
  const { schemas } = z.toJSONSchema(registry, { io, unrepresentable: 'any', uri: refTo })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, mapSchemas(schema as JsonSchema, tidy)]),
  )
}

/** Fields may be added later, so clients must accept unknown fields. */
function tidy(schema: JsonSchema): JsonSchema {
  const dropped = new Set([
    '$schema',
    '$id',
    ...(schema.additionalProperties === false ? ['additionalProperties'] : []),
  ])
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !dropped.has(keyword)))
}

/** A request may omit fields that a response always has. In requests, such a schema is named `…Input`. */
function withOwnNames(requests: SharedSchemas, answers: SharedSchemas): SharedSchemas {
  const isSame = (name: string) => JSON.stringify(requests[name]) === JSON.stringify(answers[name])
  const differing = new Set(Object.keys(namedSchemas).filter((name) => !isSame(name)))
  const newName = (name: string) => (differing.has(name) ? `${name}Input` : name)
  const renamed = Object.entries(requests).map(([name, schema]) => [
    newName(name),
    mapSchemas(schema, (each) => (each.$ref ? { ...each, $ref: refTo(newName(nameOfRef(each.$ref))) } : each)),
  ])
  return onlyUsed(Object.fromEntries(renamed) as SharedSchemas)
}

/** Keeps the named schemas that requests use; the others belong to responses. */
function onlyUsed(schemas: SharedSchemas): SharedSchemas {
  const used = new Set<string>()
  const visit = (name: string) => {
    if (used.has(name)) return
    used.add(name)
    mapSchemas(schemas[name] ?? {}, (each) => {
      if (each.$ref) visit(nameOfRef(each.$ref))
      return each
    })
  }
  for (const endpoint of allEndpoints.filter(hasBody)) visit(requestName(endpoint))
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}
