import { isRecord } from '#platform/engine/model-gateway/formats/json-shapes.ts'

type Body = Readonly<Record<string, unknown>>

const maxKeys = 1000

/** Writing JSON again fails at some thousands of levels, and providers refuse far fewer. */
const maxDepth = 500

/** A small value takes up to 20 times its size when it is parsed. The longest prompts have fewer than a tenth of this. */
const maxValues = 1_000_000

/**
 * Parses a request body. Returns why it does not pass if it is not a JSON object, or if two readers could understand
 * different things: parsers differ in which of two equal keys they take, and some ignore case.
 */
export function readRequestBody(bytes: Uint8Array): { body: Body } | { body?: undefined; refusal: string } {
  if (countValues(bytes) > maxValues) return { refusal: `The request body has more than ${maxValues} values` }
  let text: string
  let body: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    body = JSON.parse(text)
  } catch {
    return { refusal: 'The request body is not JSON in UTF-8' }
  }
  if (!isRecord(body)) return { refusal: 'The request body is not a JSON object' }
  const refusal = whyAmbiguous(text)
  return refusal === null ? { body } : { refusal }
}

const [quote, backslash, comma, openBrace, openBracket] = Buffer.from('"\\,{[')

/** The number of values in a JSON text, without parsing it. An empty list or object counts as two. */
function countValues(json: Uint8Array): number {
  let count = 1
  let isString = false
  for (let at = 0; at < json.byteLength; at += 1) {
    const byte = json[at]
    if (isString) {
      if (byte === backslash) at += 1
      else if (byte === quote) isString = false
    } else if (byte === quote) isString = true
    else if (byte === comma || byte === openBrace || byte === openBracket) count += 1
  }
  return count
}

/** Refuses a valid JSON text with a key that an object has twice. Of the outer object, cases and the number count too. */
function whyAmbiguous(json: string): string | null {
  /** The keys of each open object, and null for a list. */
  const open: (Set<string> | null)[] = []
  let isKey = false
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '"') {
      const end = endOfString(json, at)
      const keys = open.at(-1)
      if (isKey && keys) {
        const written = String(JSON.parse(json.slice(at, end + 1)))
        const key = open.length === 1 ? written.toLowerCase() : written
        if (keys.has(key)) return `The request body has the key ${key} twice`
        keys.add(key)
        if (open.length === 1 && keys.size > maxKeys) return `The request body has more than ${maxKeys} keys`
      }
      isKey = false
      at = end
    } else if (character === '{' || character === '[') {
      isKey = character === '{'
      open.push(isKey ? new Set() : null)
      if (open.length > maxDepth) return `The request body has more than ${maxDepth} levels`
    } else if (character === '}' || character === ']') open.pop()
    else if (character === ',') isKey = open.at(-1) !== null
  }
  return null
}

function endOfString(json: string, start: number) {
  for (let at = start + 1; ; at += 1) {
    if (json[at] === '\\') at += 1
    else if (json[at] === '"') return at
  }
}
