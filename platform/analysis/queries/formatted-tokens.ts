import { refuseSql } from './query-error.ts'

/**
 * A token of a statement that the engine has formatted. `blank` is the whitespace before it. A quoted name includes its
 * quotes.
 */
export type FormattedToken = {
  kind: 'word' | 'quoted' | 'string' | 'number' | 'sign'
  text: string
  blank: string
}

/**
 * The only allowed forms of a token. They are fewer than the engine's: no comment, heredoc, double quote, parameter, or
 * escape that the engine's formatter does not write. So no text can mean two things to two parsers.
 */
const shapes: [FormattedToken['kind'], RegExp][] = [
  ['word', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['number', /\d+(?:\.\d*)?(?:e[+-]?\d+)?(?![\w.])/y],
  ['string', /'(?:[^'\\\p{Cc}]|\\['\\bfnrt0])*'(?!')/uy],
  ['quoted', /`[^`\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+`(?!`)/uy],
  ['sign', /->|<=>|!=|<=|>=|-(?!-)|\/(?!\*)|[()[\],.+*%=<>]/y],
]

const blanks = /[ \n]*/y

/**
 * Splits a formatted statement into tokens. `sql` is the user's own text, for the positions in error messages. Errors:
 * `invalid_argument`.
 */
export function readFormatted(formatted: string, sql: string): FormattedToken[] {
  const tokens: FormattedToken[] = []
  let at = 0
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    const text = pattern.exec(formatted)?.[0]
    at += text?.length ?? 0
    return text
  }
  for (;;) {
    const blank = match(blanks) ?? ''
    if (at === formatted.length) return tokens
    const token = readShape(match, blank)
    if (!token) throw refuseShape(formatted.slice(at), sql)
    tokens.push(token)
  }
}

function readShape(match: (pattern: RegExp) => string | undefined, blank: string): FormattedToken | null {
  for (const [kind, pattern] of shapes) {
    const text = match(pattern)
    if (text !== undefined) return { kind, text, blank }
  }
  return null
}

function refuseShape(rest: string, sql: string) {
  if (rest.startsWith('{')) return refuseSql('Queries cannot contain parameters in braces', sql, sql.indexOf('{'))
  if (rest.startsWith('`'))
    return refuseSql('A quoted name cannot contain a backslash, a line break or an invisible character', sql)
  return refuseSql(`Queries cannot contain ${JSON.stringify([...rest][0])} here`, sql)
}
