const examined = 400

/**
 * The encoding of text that was read as UTF-8 although it has another one; null if it looks like UTF-8. Every second byte
 * of plain text in UTF-16 is NUL, and three of four in UTF-32.
 */
export function otherEncodingOf(text: string): 'UTF-16' | 'UTF-32' | null {
  const start = text.slice(0, examined)
  if (start.length < 8) return null
  const share = (start.split('\0').length - 1) / start.length
  if (share > 0.6) return 'UTF-32'
  return share > 0.25 ? 'UTF-16' : null
}
