/** The lines of a markdown document inside code or raw HTML, where every blank matters. */
export type LiteralLines = {
  isLiteral: boolean[]
  /** The marker that closes the last fenced code block, if it is still open at the end. */
  openFence: string | undefined
}

type Fence = { marker: string; length: number; indent: number }

type State =
  | { kind: 'prose' | 'html' | 'quoted' | 'unsure' }
  | { kind: 'fence'; fence: Fence }
  | { kind: 'indented'; fence: Fence }

const container = String.raw`(?:[ \t>*+\-\d.)]|\[\^[^\]]*\]:)*`
const fenceLine = new RegExp(String.raw`^(${container}?)(\`{3,}(?=[^\`]*$)|~{3,})`)
const htmlLine = new RegExp(`^${container}<`)
/**
 * HTML that a blank line does not end: comments, processing instructions, declarations, script and similar elements.
 */
const lastingHtml = new RegExp(String.raw`^${container}<(?:!|\?|(?:script|pre|style|textarea)(?:[\s>]|$))`, 'i')
const wholeComment = new RegExp(`^${container}<!--.*-->`)

const prose: State = { kind: 'prose' }
const unsure: State = { kind: 'unsure' }

/**
 * Parses block structure in one pass, only as far as it is certain. That covers fences at the margin, in quotes, and
 * indented together with everything between them. Anything else that could be code (a fence right after a list marker,
 * a fence inside raw HTML) makes the rest of the document literal, which is always safe.
 */
export function findLiteralLines(lines: readonly string[]): LiteralLines {
  let state = prose
  const isLiteral = lines.map((line) => {
    const { next, literal } = step(state, line)
    state = next
    return literal
  })
  return { isLiteral, openFence: state.kind === 'fence' ? state.fence.marker.repeat(state.fence.length) : undefined }
}

type Step = { next: State; literal: boolean }

function step(state: State, line: string): Step {
  switch (state.kind) {
    case 'prose':
      return stepInProse(line)
    case 'fence':
      return closes(state.fence, line) ? { next: prose, literal: false } : { next: state, literal: true }
    case 'indented':
      return stepInIndented(state, line)
    case 'quoted':
      return /^ {0,3}>/.test(line) ? { next: state, literal: true } : stepInProse(line)
    case 'html':
      if (isBlank(line)) return { next: prose, literal: false }
      return { next: fenceLine.test(line) || lastingHtml.test(line) ? unsure : state, literal: true }
    case 'unsure':
      return { next: unsure, literal: true }
  }
}

function stepInProse(line: string): Step {
  const [, before, marks] = fenceLine.exec(line) ?? []
  if (before !== undefined && marks !== undefined) {
    const fence = { marker: marks.charAt(0), length: marks.length, indent: before.length }
    if (before === '') return { next: { kind: 'fence', fence }, literal: false }
    if (before.startsWith('>')) return { next: { kind: 'quoted' }, literal: true }
    return { next: /^ +$/.test(before) ? { kind: 'indented', fence } : unsure, literal: true }
  }
  if (wholeComment.test(line)) return { next: prose, literal: true }
  if (lastingHtml.test(line)) return { next: unsure, literal: true }
  if (htmlLine.test(line)) return { next: { kind: 'html' }, literal: true }
  return { next: prose, literal: false }
}

/** An indented fence may or may not belong to a list item. A line further left ends it only if it does. */
function stepInIndented(state: State & { kind: 'indented' }, line: string): Step {
  if (isBlank(line)) return { next: state, literal: true }
  const indent = indentOf(line)
  if (indent < state.fence.indent) return { next: unsure, literal: true }
  const isClosed = indent === state.fence.indent && closes(state.fence, line.trimStart())
  return { next: isClosed ? prose : state, literal: true }
}

function closes({ marker, length }: Fence, line: string) {
  const marks = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
  return marks !== undefined && marks.startsWith(marker) && marks.length >= length
}

export const isBlank = (line: string) => /^[ \t]*$/.test(line)

/** Returns the indentation in columns. A tab extends to the next multiple of four. */
export function indentOf(line: string): number {
  let column = 0
  for (const character of line) {
    if (character === '\t') column += 4 - (column % 4)
    else if (character === ' ') column += 1
    else break
  }
  return column
}
