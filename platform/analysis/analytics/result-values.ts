type Convert = (value: unknown) => unknown

const asIs: Convert = (value) => value

const nonFinite: Record<string, string> = { nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity', '-nan': 'NaN' }

const toInteger: Convert = (value) => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

const toFloat: Convert = (value) => (typeof value === 'string' ? (nonFinite[value.toLowerCase()] ?? value) : value)

/** The engine processes run in UTC. A type with another time zone keeps that zone's wall clock. */
const toMoment: Convert = (value) => `${String(value).replace(' ', 'T')}Z`

/** The wire format of a type's values, by the name of the type; see `ResultTable` of the contract. */
const plainTypes: [RegExp, Convert][] = [
  [/^U?Int(8|16|32|64|128|256)$/, toInteger],
  [/^(Float(32|64)|BFloat16)$/, toFloat],
  [/^DateTime(\('(UTC|Etc\/UTC)'\)|64\(\d(, '(UTC|Etc\/UTC)')?\))?$/, toMoment],
]

/** The converter of a column's values. Types without a rule, such as JSON, keep the engine's format. */
function converterOf(type: string): Convert {
  const plain = plainTypes.find(([pattern]) => pattern.test(type))
  if (plain) return plain[1]
  const [, outer = '', inner = ''] = /^(\w+)\((.*)\)$/s.exec(type) ?? []
  const parts = splitTypes(inner)
  if (outer === 'Nullable' || outer === 'LowCardinality') return orNull(converterOf(inner))
  if (outer === 'SimpleAggregateFunction') return converterOf(parts.at(-1) ?? '')
  if (outer === 'Array') return listOf(converterOf(inner))
  if (outer === 'Map') return listOf(tupleOf(parts.map(converterOf)))
  if (outer === 'Tuple') return tupleOf(parts.map((part) => converterOf(withoutName(part))))
  return asIs
}

const orNull =
  (convert: Convert): Convert =>
  (value) =>
    value === null ? null : convert(value)

const listOf =
  (convert: Convert): Convert =>
  (value) =>
    Array.isArray(value) ? value.map((item) => convert(item)) : value

const tupleOf =
  (converts: Convert[]): Convert =>
  (value) =>
    Array.isArray(value) ? value.map((item, index) => converts[index]?.(item) ?? item) : value

/** A tuple element may have a name: `id UInt64`, `` `a b` Array(String) ``. */
const withoutName = (part: string) => part.replace(/^(?:[A-Za-z_]\w*|`(?:[^`\\]|\\.)*`) (?=[A-Z])/, '')

/** Splits at commas outside parentheses and quotes. */
function splitTypes(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: piece, index } of list.matchAll(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[(),]/g)) {
    if (piece === '(') depth += 1
    if (piece === ')') depth -= 1
    if (piece !== ',' || depth > 0) continue
    parts.push(list.slice(start, index).trim())
    start = index + 1
  }
  return [...parts, list.slice(start).trim()].filter((part) => part !== '')
}

/** For each column, the converter to the format of the contract's `ResultTable`. */
export const convertersOf = (types: readonly string[]): Convert[] => types.map(converterOf)
