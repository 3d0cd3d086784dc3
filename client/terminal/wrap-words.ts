import { widthOf } from './table.ts'

/**
 * Breaks the lines of prose between words where a terminal of this width would break them within one. A line continues with
 * the indent of its start. A word that is longer than a line, such as an address, stays whole.
 */
export function wrapWords(text: string, columns: number | null): string {
  if (columns === null) return text
  return text
    .split('\n')
    .map((line) => (widthOf(line) <= columns ? line : wrapLine(line, columns)))
    .join('\n')
}

function wrapLine(line: string, columns: number) {
  const indent = /^ */.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let [current, width] = ['', 0]
  for (const word of line.slice(indent.length).split(' ')) {
    const own = widthOf(word)
    if (width > 0 && indent.length + width + 1 + own > columns) {
      lines.push(current)
      ;[current, width] = [word, own]
    } else {
      current = width > 0 ? `${current} ${word}` : word
      width += own + (width > 0 ? 1 : 0)
    }
  }
  return [...lines, current].map((each) => indent + each).join('\n')
}
