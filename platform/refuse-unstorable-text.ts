import { invalid } from './failure.ts'

const maxDepth = 100

/**
 * Refuses, as `invalid_argument`, values that no database can hold as text (NUL, half a surrogate pair) and values nested
 * too deeply to be walked by recursion. A loop itself, for that reason.
 */
export function refuseUnstorableText(root: unknown): void {
  const waiting = [{ value: root, path: '', depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path, depth } = next
    if (typeof value === 'string') refuseText(value, path)
    if (typeof value !== 'object' || value === null) continue
    if (depth >= maxDepth) throw invalid(`${path.slice(0, 100)}: nested more than ${maxDepth} levels deep`)
    for (const [name, inner] of Object.entries(value)) {
      refuseText(name, path)
      waiting.push({ value: inner, path: path ? `${path}.${name}` : name, depth: depth + 1 })
    }
  }
}

function refuseText(text: string, path: string) {
  if (text.includes('\0')) throw invalid(`${path}: NUL characters are not allowed`)
  if (!text.isWellFormed()) throw invalid(`${path}: the text is not well-formed Unicode`)
}
