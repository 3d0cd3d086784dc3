/** Line breaks would add header lines, and marks that turn the direction of text would disguise what follows. */
const unwanted = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu

/** People's text on one line, bounded, and without half of a character at its end. */
export function plainLine(text: string, max: number) {
  const line = text.replaceAll(unwanted, ' ').trim()
  return (line.length > max ? `${line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line).toWellFormed()
}

/**
 * Mail programs make links of such text, and a title must not lead elsewhere than its link does. An invisible space after
 * the mark prevents it.
 */
export const withoutLinks = (text: string) => text.replaceAll(/:(?=\/\/)|\.(?=\p{L}{2,})/gu, '$&\u200b')
