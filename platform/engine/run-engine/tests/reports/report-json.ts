/**
 * Parses JSON as programs write it: with log lines around it, control characters in its strings, and Python's `NaN` and
 * `Infinity`, which become null. Throws an Error with a reason.
 */
export function parseReportJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const start = text.search(/[{[]/)
    const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
    if (start === -1 || end < start) throw error
    return parseFrom(text, start, end + 1, error)
  }
}

function parseFrom(text: string, start: number, end: number, first: unknown): unknown {
  const starts = [start, text.indexOf('{', start)].filter(
    (place, index, all) => place >= 0 && all.indexOf(place) === index,
  )
  for (const place of starts) {
    try {
      return JSON.parse(strictJson(text.slice(place, end)))
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
