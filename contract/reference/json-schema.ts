/** The parts of JSON Schema 2020-12 that our schemas use. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: boolean | JsonSchema
  description?: string
  examples?: unknown[]
  default?: unknown
  [keyword: string]: unknown
}

export type SharedSchemas = Record<string, JsonSchema>

const prefix = '#/components/schemas/'

export const refTo = (name: string) => `${prefix}${name}`
export const nameOfRef = (ref: string) => ref.slice(prefix.length)

/** Returns a copy in which `change` was applied to every schema, children first. */
export function mapSchemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const each = (inner: JsonSchema) => mapSchemas(inner, change)
  const mapped = { ...schema }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) if (schema[key]) mapped[key] = schema[key].map(each)
  if (schema.items) mapped.items = each(schema.items)
  if (typeof schema.additionalProperties === 'object') mapped.additionalProperties = each(schema.additionalProperties)
  if (schema.properties)
    mapped.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, inner]) => [name, each(inner)]),
    )
  return change(mapped)
}
