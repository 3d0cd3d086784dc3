import { z } from 'zod'

import { allEndpoints } from './all-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { ErrorBody, errorStatus } from './errors.ts'
import { toSnakeCaseFields } from './wire/field-names.ts'

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const parameter = (name: string, where: 'path' | 'query', schema: unknown) => ({
  name,
  in: where,
  required: where === 'path',
  schema,
})

function queryParameters(endpoint: Endpoint) {
  const aliases = Object.entries(endpoint.queryAliases).map(
    ([alias, field]) => [alias, endpoint.query.shape[field]] as const,
  )
  const declared = Object.entries(endpoint.query.shape)
  return [...declared, ...aliases].map(([name, schema]) => {
    const [wireName = name] = Object.keys(toSnakeCaseFields({ [name]: schema }))
    return parameter(wireName, 'query', jsonSchema(schema as z.ZodType, 'input'))
  })
}

function requestBody(endpoint: Endpoint) {
  const json = { 'application/json': { schema: jsonSchema(endpoint.body, 'input') } }
  return { content: endpoint.textBodyField ? { 'text/yaml': { schema: { type: 'string' } }, ...json } : json }
}

const errorResponse = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

function operation(endpoint: Endpoint) {
  const [noun] = endpoint.name.split('.')
  const success = {
    description: 'Success',
    ...(endpoint.status !== 204 && {
      content: { [endpoint.responseType]: { schema: jsonSchema(endpoint.response, 'output') } },
    }),
  }
  const refusals = Object.entries(Object.groupBy(endpoint.errors, (code) => String(errorStatus[code])))
  return {
    operationId: endpoint.name,
    tags: [noun],
    summary: endpoint.summary,
    ...(endpoint.deprecated && { deprecated: true }),
    parameters: [
      ...endpoint.pathParams.map((name) => parameter(name, 'path', { type: 'string' })),
      ...(endpoint.organizationScoped ? [parameter('org_id', 'query', { type: 'string', format: 'uuid' })] : []),
      ...queryParameters(endpoint),
    ],
    ...(Object.keys(endpoint.body.shape).length > 0 && { requestBody: requestBody(endpoint) }),
    responses: {
      [endpoint.status]: success,
      ...Object.fromEntries(refusals.map(([status, codes]) => [status, errorResponse((codes ?? []).join(', '))])),
    },
  }
}

/** The OpenAPI 3.1 description of the whole API, made from the same endpoint values that serve it. */
export function openApiDocument() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of allEndpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Experiment Platform HTTP API', version: '1' },
    servers: [{ url: '/api/v1' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: jsonSchema(ErrorBody, 'output') },
    },
  }
}
