import { findLiteralLines, indentOf, isBlank } from './literal-lines.ts'

/**
 * The form in which a report's body is stored and in which the editor compares texts: `\n` line ends; no control
 * characters or byte order marks; outside code, at most one blank line in a row and no spaces at line ends, except the
 * two of a hard break; no blank lines around the whole text; one line end at the end. A text of only whitespace becomes
 * ''. Everything else stays unchanged, so that it reads and renders the same. `canonicalMarkdown(canonicalMarkdown(x))
 * === canonicalMarkdown(x)`.
 */
export function canonicalMarkdown(markdown: string): string {
  const lines = markdown
    .replaceAll(/(?![\t\n\r])\p{Cc}|\uFEFF/gu, '')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
  const first = lines.findIndex((line) => !isBlank(line))
  if (first === -1) return ''
  const last = lines.findLastIndex((line) => !isBlank(line))
  return `${tidy(lines.slice(first, last + 1)).join('\n')}\n`
}

/**
 * Appends a block to the body after one blank line, both canonical. If the body has an unclosed fenced code block, it
 * is closed first, so that it does not swallow the block. The body's own text stays unchanged.
 */
export function appendMarkdown(body: string, block: string): string {
  const before = canonicalMarkdown(body)
  if (before === '') return canonicalMarkdown(block)
  const { openFence } = findLiteralLines(before.slice(0, -1).split('\n'))
  return canonicalMarkdown(`${before}${openFence ? `${openFence}\n` : ''}\n${canonicalMarkdown(block)}`)
}

function tidy(lines: string[]): string[] {
  const { isLiteral } = findLiteralLines(lines)
  const kept: string[] = []
  let blanks: string[] = []
  for (const [at, line] of lines.entries()) {
    if (isLiteral[at]) {
      kept.push(...tidyBlanks(blanks, line), line)
      blanks = []
    } else if (isBlank(line)) {
      blanks.push(line)
    } else {
      const next = lines[at + 1]
      kept.push(...tidyBlanks(blanks, line), tidyEnd(line, next !== undefined && !isBlank(next)))
      blanks = []
    }
  }
  return kept
}

/** Before a line indented by four columns or more, the blank lines may belong to indented code. */
const tidyBlanks = (blanks: string[], next: string) => (blanks.length === 0 || indentOf(next) >= 4 ? blanks : [''])

const mayBeIndentedCode = /^(?:[ >*+\-\d.)]|\[\^[^\]]*\]:)*(?:\t| {4})/

/** For a list marker alone on its line, some parsers read the next line differently if a space follows the marker. */
const endsInListMarker = /(?:^|[ \t>])(?:[*+-]|\d+[.)])$/

/** Not a regular expression: one for the end of a line would rescan a long row of spaces from each of them. */
function endOfText(line: string) {
  let end = line.length
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1
  return end
}

function tidyEnd(line: string, goesOn: boolean): string {
  const text = line.slice(0, endOfText(line))
  const end = line.slice(text.length)
  // A backslash at the end of a line would become a hard break.
  if (end === '' || text.endsWith('\\') || endsInListMarker.test(text) || mayBeIndentedCode.test(line)) return line
  return goesOn && /^ {2,}$/.test(end) ? `${text}  ` : text
}
