/** Characters that change the order or the look of what stands around them: bidirectional controls, and some without width. */
const invisible = /[\p{Cc}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu

/**
 * A name with its control characters and changes of direction shown as glyphs: ESC is `␛`, a right-to-left override
 * `<U+202E>`. A name that reads as another name misleads its reader.
 */
export const visibleText = (name: string) => name.replace(invisible, glyphOf)

function glyphOf(character: string) {
  const point = character.codePointAt(0) ?? 0
  if (point < 0x20) return String.fromCodePoint(0x2400 + point)
  return point === 0x7f ? '\u2421' : `<U+${point.toString(16).toUpperCase().padStart(4, '0')}>`
}
