import { invalid } from './failure.ts'

const maxDepth = 100

/** Its path is put together for a refusal only: a body of megabytes has millions of values. */
type Place = { value: object; name: string; above: Place | null; depth: number }

/**
 * Refuses, as `invalid_argument`, values that no database can hold as text (NUL, half a surrogate pair) and values nested
 * too deeply to be walked by recursion. A loop itself, for that reason.
 */
export function refuseUnstorableText(root: unknown): void {
  if (typeof root === 'string') refuseText(root, () => '')
  const waiting: Place[] = isNested(root) ? [{ value: root, name: '', above: null, depth: 0 }] : []
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { value, depth } = place
    if (depth >= maxDepth) throw invalid(`${pathOf(place).slice(0, 100)}: nested more than ${maxDepth} levels deep`)
    const above = place
    const look = (inner: unknown, name: string | number) => {
      if (typeof inner === 'string') refuseText(inner, () => pathOf({ ...above, name: String(name), above }))
      else if (isNested(inner)) waiting.push({ value: inner, name: String(name), above, depth: depth + 1 })
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

function pathOf({ name, above }: Place): string {
  const parent = above === null ? '' : pathOf(above)
  return parent === '' ? name : `${parent}.${name}`
}

const place = (path: string) => (path === '' ? '' : `${path}: `)

function refuseText(text: string, path: () => string) {
  if (text.includes('\0')) throw invalid(`${place(path())}NUL characters are not allowed`)
  if (!text.isWellFormed()) throw invalid(`${place(path())}the text is not well-formed Unicode`)
}
