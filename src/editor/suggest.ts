import { axisIds } from './axis-ids.ts'
import { pathAt } from './path-at.ts'
import { type Schema, schemasAt, typeOf } from './definition-schema.ts'

export type Suggestion = { label: string; detail: string; info: string; insert: string; isKey: boolean }

/** The fields or values that the schema allows at the cursor, including fields that the mapping already has. */
export function suggestAllowed(text: string, offset: number): { from: number; suggestions: Suggestion[] } | null {
  const place = pathAt(text, offset)
  if (!place) return null
  const schemas = schemasAt(place.path)
  // An entry of a list looks like the start of a mapping, even where only text is allowed.
  const takesText = place.writes === 'value' || schemas.every(({ properties }) => !properties)
  const values = takesText ? [...schemas.flatMap(toValues), ...axisValues(text, offset, place.path)] : []
  const keys = place.writes === 'key' ? schemas.flatMap(toKeys) : []
  const known = new Set<string>()
  const suggestions = [...keys, ...values].filter(({ label }) => !known.has(label) && known.add(label))
  return suggestions.length > 0 ? { from: place.from, suggestions } : null
}

const toKeys = ({ properties = {}, required = [] }: Schema): Suggestion[] =>
  Object.entries(properties).map(([name, field]) => ({
    label: name,
    detail: `${typeOf(field)}${required.includes(name) ? ', required' : ''}`,
    info: field.description ?? '',
    insert: `${name}: `,
    isKey: true,
  }))

/**
 * Below `variants`, as the environment of a prompt and as the agents of a file, an axis takes ids that the text defines
 * elsewhere.
 */
function axisValues(text: string, offset: number, path: readonly (string | 0)[]): Suggestion[] {
  const axis = axisAt(path)
  return axis === null ? [] : axisIds(text, offset, axis).map((id) => toValue(id, ''))
}

function axisAt(path: readonly (string | 0)[]): string | null {
  const [top, list, , axis] = path
  if (path.at(-2) === 'agents' && path.at(-4) === 'files') return 'agent'
  if (path.length === 3 && top === 'prompts') return path[2] === 'environment' ? 'environment' : null
  return path.length === 4 && top === 'variants' && (list === 'include' || list === 'exclude') ? String(axis) : null
}

function toValues(schema: Schema): Suggestion[] {
  const values = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : [])
  return values.map((value) => toValue(value, schema.description ?? ''))
}

const toValue = (value: string, info: string): Suggestion => ({
  label: value,
  detail: '',
  info,
  insert: value,
  isKey: false,
})
