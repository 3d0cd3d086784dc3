/**
 * Parses JSON as programs write it: with log lines around it, control characters in its strings, and Python's `NaN` and
 * `Infinity`, which become null. Throws an Error with a reason.
 */
export function parseReportJson(text: string, unknownNumber: UnknownNumber = () => 'null'): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return parseInside(text, error, unknownNumber)
  }
}

/** Throws `first` if no part of the text is a document. */
function parseInside(text: string, first: unknown, unknownNumber: UnknownNumber): unknown {
  for (const start of possibleStarts(text)) {
    const end = endOfDocument(text, start)
    // A bracket of a log line, such as `[info]`, may stand before the document.
    const found = end === null ? null : parseLoosely(text.slice(start, end), unknownNumber)
    if (end === null || !found) continue
    if (hasDocument(text.slice(end))) throw new Error('it contains more than one JSON document')
    return found.value
  }
  throw first
}

const maxStarts = 10

/** The first bracket, the first brace, and those that start a line. */
function possibleStarts(text: string) {
  const inLines = text.matchAll(/^[ \t]*[{[]/gm).take(maxStarts)
  const starts = [
    text.search(/[{[]/),
    text.indexOf('{'),
    ...inLines.map(({ 0: found, index }) => index + found.length - 1),
  ]
  return new Set(starts.filter((start) => start !== -1))
}

const hasDocument = (text: string) =>
  text
    .matchAll(/^[ \t]*\{/gm)
    .take(maxStarts)
    .some(({ 0: found, index }) => {
      const start = index + found.length - 1
      const end = endOfDocument(text, start)
      return (
        end !== null &&
        text.slice(start, end).includes('"') &&
        parseLoosely(text.slice(start, end), () => 'null') !== null
      )
    })

/** The end of what the bracket at `start` opens, or null if nothing closes it. */
function endOfDocument(text: string, start: number) {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at + 1) - 1
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}

function parseLoosely(text: string, unknownNumber: UnknownNumber): { value: unknown } | null {
  try {
    return { value: JSON.parse(strictJson(text, unknownNumber)) }
  } catch {
    return null
  }
}

/** The JSON in place of a number that JSON does not have. */
type UnknownNumber = (word: string) => string

/** What programs write for a number that JSON does not have. */
const noNumber = /[+-]?\b(?:infinity|inf|nan|undefined)\b(?:\(\w*\))?/gi

/**
 * Strings are copied as they are, except raw control characters. Numbers that JSON does not have are replaced outside of
 * them, and commas before a closing bracket removed.
 */
function strictJson(text: string, unknownNumber: UnknownNumber) {
  const parts: string[] = []
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at)
    const outside = text.slice(at, quote === -1 ? text.length : quote)
    parts.push(outside.replace(noNumber, unknownNumber).replace(/,(?=\s*[}\]])/g, ''))
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
