import { visibleText } from '#contract/visible-text.ts'

/**
 * Text from a run or a server with its control characters shown as glyphs. Line breaks stay; everything else that a terminal
 * would obey does not.
 */
export const visibleLines = (text: string) =>
  text.replaceAll('\r\n', '\n').replaceAll('\t', '    ').split('\n').map(visibleText).join('\n')

/** The same on one line. */
export const visibleLine = (text: string) => visibleText(text.replace(/\s+/g, ' '))

/** Control characters that JSON may have in a string as they are. A terminal obeys some of them. */
const unescaped = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** JSON whose every control character is escaped. */
export const safeJson = (value: unknown, space?: number) =>
  (JSON.stringify(value, null, space) ?? 'null').replace(unescaped, escaped)
