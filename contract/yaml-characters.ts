/** A character that looks like another one, and what to do about it. `index` is its place in the text. */
type OddCharacter = { message: string; index: number }

/** Every blank that is not a space, and every character without a width. */
const blanks = '\\u00A0\\u1680\\u2000-\\u200F\\u2028\\u2029\\u202F\\u205F\\u2060\\u3000\\uFEFF\\u0085'
const blank = new RegExp(`[${blanks}]`)

const names: Record<string, string> = {
  '\u00A0': 'non-breaking space',
  '\u202F': 'narrow non-breaking space',
  '\u200B': 'zero-width space',
  '\u200C': 'zero-width non-joiner',
  '\u200D': 'zero-width joiner',
  '\u2060': 'word joiner',
  '\u2028': 'line separator',
  '\u2029': 'paragraph separator',
  '\u3000': 'ideographic space',
  '\uFEFF': 'byte order mark',
}

const nameOf = (sign: string) => {
  const code = `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return `${names[sign] ?? 'special space'} (${code})`
}

const maxLine = 1000

const indentation = new RegExp(`^[ \\t-]*([${blanks}])`)
const separation = new RegExp(`[:-] *([${blanks}])`)
const wrongQuote = /(?:^|[:\-,[{]) *([“”„‟‘’‚‛«»`´])/
const wrongColon = /^[ -]*[\w.-]+ *([：﹕∶])/

/**
 * Finds a character on a line of YAML that was probably pasted in place of a space, quote or colon. Blanks inside of
 * texts are no mistakes.
 */
export function oddCharacterIn(line: string): OddCharacter | null {
  const short = line.slice(0, maxLine)
  const at = (pattern: RegExp) => {
    const found = pattern.exec(short)
    return found ? { sign: found[1] ?? '', index: found.index + found[0].length - 1 } : null
  }
  const indented = at(indentation)
  if (indented) {
    const message = `Indent this line with spaces: it has a ${nameOf(indented.sign)}`
    return { message, index: indented.index }
  }
  const separated = at(separation)
  if (separated) {
    const message = `Replace this ${nameOf(separated.sign)} with a space`
    return { message, index: separated.index }
  }
  const quoted = at(wrongQuote)
  if (quoted) {
    const message = `Use straight quotes, " or ', in place of ${quoted.sign}`
    return { message, index: quoted.index }
  }
  const colon = at(wrongColon)
  return colon && { message: `Use : and a space in place of ${colon.sign}`, index: colon.index }
}

/** What is wrong with the name of a field that is not known; '' if it has only ordinary characters. */
export function oddName(name: string): string {
  if (name === '<<')
    return ': merge keys are YAML 1.1, and this is YAML 1.2. Repeat the fields, or use an alias for a whole value'
  const [, field, value] = /^([\w-]+):(\S.*)$/.exec(name.slice(0, maxLine)) ?? []
  if (field) return `: put a space after the colon, as in ${field}: ${value}`
  const odd = blank.exec(name)?.[0] ?? /[“”„‟‘’‚‛«»]/.exec(name)?.[0]
  if (odd === undefined) return ''
  return blank.test(odd) ? `: its name has a ${nameOf(odd)}` : `: use straight quotes, " or ', in place of ${odd}`
}
