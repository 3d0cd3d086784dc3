import { otherEncodingOf } from '#contract/text-encoding.ts'
import { fieldPath } from '#contract/wire/field-path.ts'
import { invalid } from './failure.ts'

const maxDepth = 100

/** The path is only built for a refusal, because a body of megabytes has millions of values. */
type Place = { value: object; name: PropertyKey; above: Place | null; depth: number }

/**
 * Throws `invalid_argument` for text that no database can store (NUL, half a surrogate pair) and for values nested too
 * deeply for recursion. For that reason it is itself a loop.
 */
export function refuseUnstorableText(root: unknown): void {
  if (typeof root === 'string') refuseText(root, () => '')
  const waiting: Place[] = isNested(root) ? [{ value: root, name: '', above: null, depth: 0 }] : []
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { value, depth } = place
    if (depth >= maxDepth)
      throw invalid(`\`${pathOf(place).slice(0, 100)}…\` is nested more than ${maxDepth} levels deep`)
    const above = place
    const look = (inner: unknown, name: string | number) => {
      if (typeof inner === 'string') refuseText(inner, () => pathOf({ ...above, name, above }))
      else if (isNested(inner)) waiting.push({ value: inner, name, above, depth: depth + 1 })
    }
    if (Array.isArray(value)) value.forEach(look)
    else
      for (const [name, inner] of Object.entries(value)) {
        refuseText(name, () => pathOf(above))
        look(inner, name)
      }
  }
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

function pathOf(place: Place): string {
  const steps: PropertyKey[] = []
  for (let each: Place | null = place; each?.above; each = each.above) steps.unshift(each.name)
  return fieldPath(steps)
}

const subject = (path: string) => (path === '' ? 'The request' : `\`${path}\``)

function refuseText(text: string, path: () => string) {
  if (text.includes('\0')) throw invalid(nulMessage(subject(path()), text))
  if (!text.isWellFormed()) throw invalid(`${subject(path())} must be well-formed Unicode`)
}

function nulMessage(subject: string, text: string) {
  const encoding = otherEncodingOf(text)
  return encoding ? wrongEncoding(subject, encoding) : `${subject} must not contain NUL characters`
}

/** What to do about text that is not UTF-8. */
export const wrongEncoding = (subject: string, encoding: string) =>
  `${subject} is ${encoding} text. Save it as UTF-8 and send it again`
