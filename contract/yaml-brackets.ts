type Opened = { sign: string; position: number }

export const closers: Record<string, string> = { '[': ']', '{': '}', '"': '"', "'": "'" }

/** Signs after which a bracket or quote opens something. After any other, it is part of a text. */
const openers = new Set([':', '-', '?', '[', '{', ','])

/**
 * The brackets and quotes that are still open at the end, in their order. Comments and block texts have none. The time
 * grows with the length of the text.
 */
export function openSigns(text: string): Opened[] {
  const opened: Opened[] = []
  let blockIndent: number | null = null
  let start = 0
  for (const line of text.split('\n')) {
    const indent = line.length - line.trimStart().length
    const isBlockText: boolean = blockIndent !== null && (indent === line.length || indent > blockIndent)
    if (!isBlockText) {
      readLine(line, start, opened)
      blockIndent = opened.length === 0 && startsBlockText(line) ? indent : null
    }
    start += line.length + 1
  }
  return opened
}

const startsBlockText = (line: string) => /(?:^|[:\-\s])[|>][-+\d]{0,9}\s*(?:#[^\n]*)?$/.test(line)

/** Adds what the line opens to `opened`, and removes what it closes. */
function readLine(line: string, start: number, opened: Opened[]) {
  let previous = ''
  for (let index = 0; index < line.length; index += 1) {
    const sign = line[index] ?? ''
    const open = opened.at(-1)?.sign
    if (open === '"' || open === "'") {
      const isEscaped = open === '"' ? sign === '\\' : sign === "'" && line[index + 1] === "'"
      if (isEscaped) index += 1
      else if (sign === open) opened.pop()
    } else if (sign === '#' && (index === 0 || isBlank(line[index - 1] ?? ''))) return
    else if (sign in closers && (previous === '' || openers.has(previous)))
      opened.push({ sign, position: start + index })
    else if (open !== undefined && sign === closers[open]) opened.pop()
    if (!isBlank(sign)) previous = sign
  }
}

const isBlank = (sign: string) => sign.trim() === ''
