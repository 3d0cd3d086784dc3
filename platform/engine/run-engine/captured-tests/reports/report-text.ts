import { isUtf8 } from 'node:buffer'

/*
 * Every report passes through here before its parser: writers differ in encodings, colors and stray bytes, and no parser
 * of a format should have to know. Everything takes linear time.
 */

const escape = '\u{1b}'
const csi = '\u{9b}'
const bell = '\u{7}'

/** A CSI sequence (colors, cursor), a terminated OSC (titles, links) of one line, or a two-character escape. */
const escapes = new RegExp(
  [
    `(?:${escape}\\[|${csi})[0-?]*[ -/]*[@-~]`,
    `${escape}\\][^${bell}${escape}\\n]*(?:${bell}|${escape}\\\\)`,
    `${escape}[ -/]*[0-Z\\\\^-~]`,
  ].join('|'),
  'g',
)

export const withoutEscapes = (text: string) =>
  text.includes(escape) || text.includes(csi) ? text.replace(escapes, '') : text

/** Control characters other than tab and line ends, which XML forbids and no format gives a meaning. */
const strayControls = /(?![\t\n\r])[\p{Cc}--[\u007F-\u009F]]/gv

/**
 * The text of a report: UTF-8, or what its byte order mark, its NUL bytes or its XML declaration say, without escape
 * sequences and stray control characters. Bytes that are no characters become U+FFFD; it never throws.
 */
export function reportText(report: Uint8Array | string): string {
  const text = typeof report === 'string' ? report : decode(report)
  return withoutEscapes(text.replace(/^\uFEFF/, '')).replace(strayControls, '')
}

const decode = (bytes: Uint8Array) => new TextDecoder(encodingOf(bytes)).decode(bytes)

/** The encoding of a text by its first bytes or its XML declaration: UTF-8 if they say nothing. */
export function encodingOf(bytes: Uint8Array) {
  const [first = 0, second = 0] = bytes
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && bytes[3] === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && bytes[2] === 0)) return 'utf-16be'
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  // After a byte order mark, another declaration is wrong.
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(start)?.[1]
  // A declaration of UTF-16 that can be read byte by byte is wrong.
  if (!declared || /^utf-?16|^ucs/i.test(declared) || !isKnown(declared)) return 'utf-8'
  // Writers declare a Latin alphabet and write UTF-8. Text of such an alphabet is never valid UTF-8 by chance.
  return isLatin(declared) && isUtf8(bytes) ? 'utf-8' : declared
}

const isLatin = (label: string) => /^(?:iso-?8859|latin|l\d|windows-125|cp125|ascii|us-ascii)/i.test(label)

function isKnown(label: string) {
  try {
    return new TextDecoder(label).encoding !== ''
  } catch {
    return false
  }
}
