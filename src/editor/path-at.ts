/** Where a cursor stands in YAML that is being written, and so is rarely whole. */
export type CursorPlace = {
  /** The collection around the cursor, or for a value the path of its key; every list item is 0. */
  path: (string | 0)[]
  writes: 'key' | 'value'
  /** Where the word before the cursor begins. */
  from: number
}

type Level = { indent: number; step: string | 0 }

const key = /^(?:"([^"]*)"|'([^']*)'|([\w.-]+))\s*:(?=\s|$)/

/** Reads indentation line by line, then brackets within the cursor's line. */
export function pathAt(text: string, offset: number): CursorPlace | null {
  const lines = text.slice(0, offset).split('\n')
  const current = lines.pop() ?? ''
  const levels: Level[] = []
  let block: number | null = null
  for (const line of lines) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue
    if (block !== null && indentOf(line) > block) continue
    block = enter(levels, line).opensBlock ? (levels.at(-1)?.indent ?? 0) : null
  }
  if (block !== null && indentOf(current) > block) return null
  const { rest } = enter(levels, current)
  if (current.includes('#')) return null
  const word = /[\w.-]*$/.exec(rest)?.[0] ?? ''
  return { ...inLine(levels, rest), from: offset - word.length }
}

const indentOf = (line: string) => line.length - line.trimStart().length

/** Adds the dashes and the key of one line to the levels it stands in; `rest` is what follows them. */
function enter(levels: Level[], line: string): { rest: string; opensBlock: boolean } {
  let indent = indentOf(line)
  let rest = line.trimStart()
  leave(
    levels,
    (level) => level.indent > indent || (level.indent === indent && level.step === 0 && !rest.startsWith('-')),
  )
  while (/^-(\s|$)/.test(rest)) {
    leave(levels, (level) => level.indent > indent || (level.indent === indent && level.step === 0))
    levels.push({ indent, step: 0 })
    const dash = /^-\s*/.exec(rest)?.[0].length ?? 1
    indent += dash
    rest = rest.slice(dash)
  }
  const found = key.exec(rest)
  if (!found) {
    // A bare word at this indent is a key beside its siblings, not below the last of them.
    if (!line.trimStart().startsWith('-')) leave(levels, (level) => level.indent >= indent)
    return { rest, opensBlock: false }
  }
  leave(levels, (level) => level.indent >= indent)
  levels.push({ indent, step: found[1] ?? found[2] ?? found[3] ?? '' })
  rest = rest.slice(found[0].length)
  return { rest: `:${rest}`, opensBlock: /^\s*[|>]/.test(rest) }
}

function leave(levels: Level[], isLeft: (level: Level) => boolean) {
  while (levels.length > 0) {
    const last = levels.at(-1)
    if (!last || !isLeft(last)) return
    levels.pop()
  }
}

/** `rest` begins with `:` when the line's key is complete; brackets then nest further. */
function inLine(levels: readonly Level[], rest: string): Omit<CursorPlace, 'from'> {
  const path = levels.map(({ step }) => step)
  const opened: ('{' | '[')[] = []
  let writes: 'key' | 'value' = rest.startsWith(':') ? 'value' : 'key'
  for (const token of rest.matchAll(/[{}[\],]|([\w.-]+)\s*:(?=\s|$)|"[^"]*"|'[^']*'/g)) {
    const [sign, name] = token
    if (name !== undefined) {
      path.push(name)
      writes = 'value'
    } else if (sign === '{' || sign === '[') {
      opened.push(sign)
      if (sign === '[') path.push(0)
      writes = sign === '{' ? 'key' : 'value'
    } else if (sign === '}' || sign === ']') {
      if (opened.at(-1) === '{' && writes === 'value') path.pop()
      if (opened.pop() === '[') path.pop()
      writes = 'value'
    } else if (sign === ',' && opened.at(-1) === '{' && writes === 'value') {
      path.pop()
      writes = 'key'
    }
  }
  return { path, writes }
}
