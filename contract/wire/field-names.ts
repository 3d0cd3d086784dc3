/** Matches from the first underscore of a row only; otherwise a long row would be rescanned from each underscore. */
const snakeToCamel = (name: string) => name.replace(/(?<!_)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const camelToSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Renames every field of a request body to lowerCamelCase, at any depth, because request bodies may use lowerCamelCase or
 * snake_case. Fields named in `opaque` keep their content as sent.
 */
export function toCamelCaseFields(value: unknown, opaque: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => toCamelCaseFields(item, opaque))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const field = snakeToCamel(name)
      return [field, opaque.includes(field) ? inner : toCamelCaseFields(inner, opaque)]
    }),
  )
}

/** Renames only top-level fields, because query parameters are flat. */
export const toSnakeCaseFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [camelToSnake(name), value]))

/** Renames each alias to its field. A field sent under its own name takes precedence. */
export function resolveAliases(fields: Fields, aliases: Readonly<Record<string, string>>): Fields {
  const resolved: Fields = { ...fields }
  for (const [alias, field] of Object.entries(aliases)) {
    if (!Object.hasOwn(resolved, alias)) continue
    if (!Object.hasOwn(resolved, field)) resolved[field] = resolved[alias]
    delete resolved[alias]
  }
  return resolved
}
