import { stripVTControlCharacters } from 'node:util'

/** Longer lines are cut first, so that no pattern below works on more. */
const maxLineCharacters = 2000
const maxSignatureCharacters = 200

/** Removes colors and other terminal codes from a line, and replaces control characters with spaces. */
export const toPlainLine = (line: string) =>
  stripVTControlCharacters(line.slice(0, maxLineCharacters))
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

/**
 * What varies between two failures of the same cause, in this order: a path may contain numbers, a time contains them.
 * No pattern can match one text in two ways, so none needs more than the square of the line's length.
 */
const placeholders: readonly [pattern: RegExp, placeholder: string][] = [
  [/"(?:[^"\\]|\\.)*"|`[^`]*`|(?<!\w)'(?:[^'\\]|\\.)*'(?!\w)|‘[^’]*’|“[^”]*”/gu, '<text>'],
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>()[\]]+/giu, '<url>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/giu, '<id>'],
  [/(?<![\w.])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu, '<address>'],
  [/(?<![\w.)\]>/\\-])(?:[A-Za-z]:|~|\.{1,2})?(?:[\\/][\w.@%+=~-]+)+[\\/]?(?::\d+)*/gu, '<path>'],
  [/(?<![\w./@-])(?:[\w@-][\w.@-]*\/)+[\w@-]*\.\w{1,8}(?::\d+)*/gu, '<path>'],
  [/(?<![\w./@-])[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5}(?::\d+)+/giu, '<path>'],
  [/\b0x[0-9a-f]+\b/giu, '<address>'],
  [/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?![\d.])/gu, '<address>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/gu, '<time>'],
  [/(?<![\w:.])\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?(?![\w:])/gu, '<time>'],
  [/(?<![\w.])\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?|mins?|minutes?|hours?|h)\b/giu, '<time>'],
  [/\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,128}\b/giu, '<hash>'],
  [/(?<![A-Za-z_\d])[-+−]?\d[\d_,]*(?:\.\d+)*(?:e[-+]?\d+)?(?![A-Za-z_\d])/giu, '<number>'],
  [/<number>(?:[,;]? ?<number>)+/gu, '<number> …'],
]

/**
 * A message with everything that differs between failures of one cause replaced by placeholders: `expected "a" to have
 * 3 lines` is `expected <text> to have <number> lines`. Null if no word is left.
 */
export function normalizeMessage(message: string): string | null {
  let text = toPlainLine(message)
  for (const [pattern, placeholder] of placeholders) text = text.replaceAll(pattern, placeholder)
  const folded = text.replaceAll(/\s+/gu, ' ').trim()
  if (!/\p{L}/u.test(folded.replaceAll(/<[a-z]+>/gu, ''))) return null
  const characters = Array.from(folded)
  return (
    characters.length > maxSignatureCharacters ? `${characters.slice(0, maxSignatureCharacters - 1).join('')}…` : folded
  ).toWellFormed()
}
