/**
 * Parses JSON as programs write it: with log lines around it, control characters in its strings, and Python's `NaN` and
 * `Infinity`, which become null. Throws an Error with a reason.
 */
export function parseReportJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return parseInside(text, error)
  }
}

/** Throws `first` if no part of the text is a document. */
function parseInside(text: string, first: unknown): unknown {
  const firstInLine = /^[ \t]*\{/m.exec(text)
  const starts = [
    text.search(/[{[]/),
    text.indexOf('{'),
    firstInLine === null ? -1 : firstInLine.index + firstInLine[0].length - 1,
  ]
  for (const start of new Set(starts)) {
    const end = text.lastIndexOf(text[start] === '[' ? ']' : '}')
    if (start === -1 || end < start) continue
    try {
      return JSON.parse(strictJson(text.slice(start, end + 1)))
    } catch {
      // A bracket of a log line, such as `[info]`, may stand before the document.
    }
  }
  throw first
}

/** What programs write for a number that JSON does not have. */
const noNumber = /[+-]?\b(?:infinity|inf|nan|undefined)\b(?:\(\w*\))?/gi

/**
 * Strings are copied as they are, except raw control characters. Numbers that JSON does not have are replaced outside of
 * them, and commas before a closing bracket removed.
 */
function strictJson(text: string) {
  const parts: string[] = []
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at)
    const outside = text.slice(at, quote === -1 ? text.length : quote)
    parts.push(outside.replace(noNumber, 'null').replace(/,(?=\s*[}\]])/g, ''))
    if (quote === -1) break
    const end = endOfString(text, quote + 1)
    parts.push(text.slice(quote, end).replace(/[\t\n\r]/g, (character) => JSON.stringify(character).slice(1, -1)))
    at = end
  }
  return parts.join('')
}

function endOfString(text: string, start: number) {
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '"') return at + 1
  }
  return text.length
}
