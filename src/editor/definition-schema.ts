import { definitionJsonSchema } from '#contract/definition.ts'

/** The parts of JSON Schema that the definition uses. */
export type Schema = {
  type?: string
  description?: string
  enum?: string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}

const root = definitionJsonSchema() as Schema

const branches = (schema: Schema): Schema[] =>
  (schema.anyOf ?? [schema]).flatMap((each) => (each.anyOf ? branches(each) : each))

/** Every schema a value at this path may follow; a union offers all its branches. */
export function schemasAt(path: readonly (string | 0)[]): Schema[] {
  return path.reduce<Schema[]>(
    (schemas, step) =>
      schemas.flatMap((schema) => {
        const next = step === 0 ? schema.items : schema.properties?.[step]
        return next ? branches(next) : []
      }),
    branches(root),
  )
}

/** A field with its names from the top of the document, without list positions. */
export type DescribedField = { name: string; type: string; description: string; path: string[] }

/** The schema's description of the field at this path. */
export function describeField(path: readonly (string | 0)[]): DescribedField | null {
  const name = path.at(-1)
  if (typeof name !== 'string') return null
  const parent = schemasAt(path.slice(0, -1)).find(({ properties }) => properties?.[name])
  const field = parent?.properties?.[name]
  if (!field) return null
  const names = path.filter((step) => step !== 0)
  return { name, type: typeWith(parent, name), description: field.description ?? '', path: names }
}

const typeWith = ({ properties = {}, required = [] }: Schema, name: string) =>
  `${typeOf(properties[name] ?? {})}${required.includes(name) ? ', required' : ''}`

/** Every field of a definition, each mapping followed by its own fields. */
export function allFields(schema: Schema = root, above: readonly string[] = []): DescribedField[] {
  return branches(schema).flatMap((branch) => {
    const { properties = {}, items } = branch
    const own = Object.entries(properties).flatMap(([name, field]) => {
      const path = [...above, name]
      return [
        { name, type: typeWith(branch, name), description: field.description ?? '', path },
        ...allFields(field, path),
      ]
    })
    return [...own, ...(items ? allFields(items, above) : [])]
  })
}

export function typeOf(schema: Schema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.enum) return schema.enum.join(' | ')
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'values'}`
  return schema.type === 'object' ? 'mapping' : (schema.type ?? 'any')
}
