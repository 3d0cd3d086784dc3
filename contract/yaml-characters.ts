/** A character that looks like another one, and what to do about it. `index` is its place in the text. */
type OddCharacter = { message: string; index: number }

/** Every blank that is not a space, and every character without a width. */
const blanks =
  '\\u0085\\u00A0\\u00AD\\u061C\\u1680\\u180E\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u2064\\u2066-\\u2069\\u3000\\uFEFF'
const blank = new RegExp(`[${blanks}]`)

const names: Record<string, string> = {
  '\u00A0': 'non-breaking space',
  '\u00AD': 'soft hyphen',
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

const describeCharacter = (sign: string) => {
  const code = `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return `${names[sign] ?? (sign.trim() === '' ? 'special space' : 'invisible character')} (${code})`
}

const withArticle = (name: string) => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`

const maxLine = 1000

const indentation = new RegExp(`^[ \\t-]*([${blanks}])`)
const separation = new RegExp(`[:-] *([${blanks}])`)
const wrongQuote = /(?:^|[:\-,[{]) *([“”„‟‘’‚‛«»`´])/
const tabIndent = /^[ -]*(\t)/
const wrongDash = /^ *([–—−‒‐‑•])(?= )/
const wrongComma = /[[{].*[\w"'\]}]([，﹐、])/
const fence = /^\s*(`)(?=``)/
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
    const message = `Indent this line with spaces: it has ${withArticle(describeCharacter(indented.sign))}`
    return { message, index: indented.index }
  }
  const separated = at(separation)
  if (separated) {
    const message = `Replace this ${describeCharacter(separated.sign)} with a space`
    return { message, index: separated.index }
  }
  const tab = at(tabIndent)
  if (tab) return { message: 'Indent with spaces. YAML does not allow tabs here', index: tab.index }
  const fenced = at(fence)
  if (fenced) return { message: 'Remove this line. ``` is Markdown', index: fenced.index }
  const dash = at(wrongDash)
  if (dash) return { message: `Use - and a space in place of ${dash.sign}`, index: dash.index }
  const comma = at(wrongComma)
  if (comma) return { message: `Use , in place of ${comma.sign}`, index: comma.index }
  const quoted = at(wrongQuote)
  if (quoted) {
    const message = `Use straight quotes, " or ', in place of ${quoted.sign}`
    return { message, index: quoted.index }
  }
  const colon = at(wrongColon)
  return colon && { message: `Use : and a space in place of ${colon.sign}`, index: colon.index }
}

export const mergeKey = '<<'
export const noMergeKeys =
  'merge keys are YAML 1.1, and this is YAML 1.2. Repeat the fields, or use an alias for a whole value'

/** What is wrong with the name of a field that is not known; '' if it has only ordinary characters. */
export function oddName(name: string): string {
  if (name === mergeKey) return `: ${noMergeKeys}`
  const [, field, value] = /^([\w-]+):(\S.*)$/.exec(name.slice(0, maxLine)) ?? []
  if (field) return `: put a space after the colon, as in ${field}: ${value}`
  return oddText(name, 'its name') || foreignLetter(name)
}

/** What is wrong with a text that must be plain, such as an id; '' if it has only ordinary characters. */
export function oddText(text: string, subject = 'it'): string {
  const odd = blank.exec(text)?.[0] ?? /[“”„‟‘’‚‛«»]/.exec(text)?.[0]
  if (odd === undefined) return ''
  return blank.test(odd)
    ? `: ${subject} has ${withArticle(describeCharacter(odd))}`
    : `: use straight quotes, " or ', in place of ${odd}`
}

/** A letter of another script in a Latin name looks like one of its own. */
function foreignLetter(name: string) {
  const [letter] = /[a-z]/i.test(name) ? (/(?!\p{Script=Latin})\p{L}/u.exec(name) ?? []) : []
  if (letter === undefined) return ''
  const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `: its “${letter}” (U+${code}) is no Latin letter`
}
