import { toCamelCaseFields, toSnakeCaseFields } from '#contract/wire/field-names.ts'

type Path = readonly PropertyKey[]

/**
 * The path of a field in the caller's spelling. A body may use either case, and a field may use its alias. A field that
 * was not sent is spelled like its siblings.
 */
export function toSentPath(path: Path, sent: unknown, aliases: Readonly<Record<string, string>>): PropertyKey[] {
  const [step, ...rest] = path
  if (step === undefined) return []
  if (typeof step !== 'string' || typeof sent !== 'object' || sent === null)
    return [step, ...toSentPath(rest, valueAt(sent, step), {})]
  const names = Object.keys(sent)
  const spelled = names.find((name) => name === step) ?? names.find((name) => fieldOf(name, aliases) === step)
  const own = spelled ?? (names.some((name) => /_[a-z]/.test(name)) ? toSnakeCase(step) : step)
  return [own, ...toSentPath(rest, valueAt(sent, own), {})]
}

const fieldOf = (name: string, aliases: Readonly<Record<string, string>>) => {
  const [field = name] = Object.keys(toCamelCaseFields({ [name]: null }) as object)
  return aliases[field] ?? field
}

/** Query parameters are snake_case on the wire, whatever the schema's names are. */
export const toSnakeCase = (name: string) => Object.keys(toSnakeCaseFields({ [name]: null }))[0] ?? name

const valueAt = (value: unknown, step: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[step] : undefined
