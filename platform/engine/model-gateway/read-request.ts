import { isRecord } from '#platform/engine/model-gateway/formats/json-shapes.ts'

type Body = Readonly<Record<string, unknown>>

const maxKeys = 1000

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
  const keys = topLevelKeys(text)
  if (keys.length > maxKeys) return { refusal: `The request body has more than ${maxKeys} keys` }
  const seen = new Set<string>()
  for (const key of keys.map((each) => each.toLowerCase())) {
    if (seen.has(key)) return { refusal: `The request body has the key ${key} twice` }
    seen.add(key)
  }
  return { body }
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

/** The keys of the outer object of a valid JSON text, as often as they occur. */
function topLevelKeys(json: string): string[] {
  const keys: string[] = []
  let depth = 0
  let isKey = false
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '"') {
      const end = endOfString(json, at)
      if (isKey && depth === 1) keys.push(String(JSON.parse(json.slice(at, end + 1))))
      isKey = false
      at = end
    } else if (character === '{' || character === '[') {
      depth += 1
      isKey = character === '{'
    } else if (character === '}' || character === ']') depth -= 1
    else if (character === ',') isKey = depth === 1
  }
  return keys
}

function endOfString(json: string, start: number) {
  for (let at = start + 1; ; at += 1) {
    if (json[at] === '\\') at += 1
    else if (json[at] === '"') return at
  }
}
