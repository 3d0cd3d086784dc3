const maxFieldBytes = 64 * 1024
const maxFields = 100

const [quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\,{}[]')

/**
 * Reads the short fields of a JSON object that is too long to hold in memory. Long fields, such as the text of an
 * answer, are left out. Fields inside them are never taken for the object's own.
 */
export function createJsonOutline() {
  const fields: string[] = []
  let parts: Buffer[] = []
  let bytes = 0
  let depth = 0
  let isString = false
  let isEscaped = false
  const collect = (part: Buffer) => {
    bytes += part.byteLength
    if (bytes <= maxFieldBytes) parts.push(Buffer.from(part))
    else parts = []
  }
  const endField = () => {
    if (bytes > 0 && bytes <= maxFieldBytes && fields.length < maxFields) fields.push(Buffer.concat(parts).toString())
    parts = []
    bytes = 0
  }
  return {
    push(chunk: Buffer) {
      let start = 0
      for (let at = 0; at < chunk.byteLength; at += 1) {
        const byte = chunk[at]
        if (isEscaped) isEscaped = false
        else if (isString) {
          if (byte === backslash) isEscaped = true
          else if (byte === quote) isString = false
        } else if (byte === quote) isString = true
        else if (byte === openBrace || byte === openBracket) {
          depth += 1
          if (depth === 1) start = at + 1
        } else if (byte === closeBrace || byte === closeBracket || (byte === comma && depth === 1)) {
          if (depth === 1) {
            collect(chunk.subarray(start, at))
            endField()
            start = at + 1
          }
          if (byte !== comma) depth -= 1
        }
      }
      if (depth > 0) collect(chunk.subarray(start))
    },
    /** The object, or null for a list or anything else. */
    read(): unknown {
      try {
        return JSON.parse(`{${fields.join(',')}}`)
      } catch {
        return null
      }
    },
  }
}
