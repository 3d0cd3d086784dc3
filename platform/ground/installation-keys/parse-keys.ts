const keyBytes = 32

/**
 * The keys of a list separated by commas or lines, newest first, without duplicates: 32 bytes in hex, base64 or
 * base64url. Throws an error that does not contain its input, so that a mistyped key reaches no log.
 */
export function parseKeys(text: string): Buffer[] {
  const keys = text
    .split(/[,\s]+/)
    .filter((part) => part !== '')
    .map((part, index) => {
      const key = parseKey(part)
      if (!key) throw new Error(`Key ${index + 1} is not 32 bytes in base64 or hex`)
      return key
    })
  return keys.filter((key, index) => keys.findIndex((other) => other.equals(key)) === index)
}

function parseKey(text: string) {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null
  const key = Buffer.from(text, 'base64')
  return key.byteLength === keyBytes ? key : null
}
