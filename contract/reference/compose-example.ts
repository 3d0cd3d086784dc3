import { type JsonSchema, nameOfRef, type SharedSchemas } from './json-schema.ts'

/** Composes an example value of the schema from the examples of its fields. */
export function composeExample(schema: JsonSchema, shared: SharedSchemas): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.$ref) return composeExample(shared[nameOfRef(schema.$ref)] ?? {}, shared)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf ?? []).find(({ type }) => type !== 'null')
  if (choice) return composeExample(choice, shared)
  if (schema.properties) return composeObject(schema.properties, shared)
  return composeValue(schema, shared)
}

function composeObject(properties: Record<string, JsonSchema>, shared: SharedSchemas) {
  const fields = Object.entries(properties).filter(([, field]) => !isForbidden(field))
  return Object.fromEntries(fields.map(([name, field]) => [name, composeExample(field, shared)]))
}

/** The schema of a field that must never be sent is `{ not: {} }`. */
const isForbidden = (field: JsonSchema) => 'not' in field

function composeValue(schema: JsonSchema, shared: SharedSchemas) {
  if (schema.default !== undefined) return schema.default
  if (schema.type === 'array') return schema.items ? [composeExample(schema.items, shared)] : []
  if (schema.type === 'boolean') return false
  if (schema.type === 'object') return {}
  if (schema.type === 'integer' || schema.type === 'number') return 0
  return schema.type === 'string' ? 'text' : null
}
