import { dataSchema, emptyDatabase } from '#platform/analysis/analytics/create-tables.ts'
import type { FormattedToken } from './formatted-tokens.ts'
import { refuseFunction, refuseName, refuseSql } from './query-error.ts'
import { isClauseWord, needsQuotes } from './reserved-words.ts'

/** The names in a statement, collected while its grammar is read. */
export type Found = {
  selects: number
  tables: string[]
  commonTables: Set<string>
  functions: Set<string>
  /** Functions in APPLY and INTERPOLATE, for which the engine's printed tree need not have a node. */
  hiddenFunctions: Set<string>
}

/** Reads the tokens of a formatted statement. Each token is taken once, as a keyword, a name or a literal. */
export type StatementReader = {
  found: Found
  /** The position of the next token, which identifies a name that was taken. */
  position: () => number
  peek: (ahead?: number) => FormattedToken | undefined
  /** Whether the next tokens are these keywords or signs. */
  isAt: (...texts: string[]) => boolean
  accept: (...texts: string[]) => boolean
  expect: (...texts: string[]) => void
  acceptKind: (kind: FormattedToken['kind']) => boolean
  /** Takes the next token as a name and returns it without its quotes. */
  readName: () => string
  /** Like readName, for a function, whose name is printed unchanged. */
  readFunctionName: () => string
  /** Returns the tokens from `start` to the current position. */
  since: (start: number) => FormattedToken[]
  /** Reads a part that EXPLAIN AST does not print. */
  hidden: (read: () => void) => void
  isHidden: () => boolean
  refuse: (message: string, name?: string) => never
  refuseNext: () => never
  refuseFunction: (name: string) => never
  /** Prints the statement and quotes every name that could be read as a keyword. */
  print: () => string
}

/** Names of databases. A query must not name a database. */
export const databases = new Set([dataSchema, emptyDatabase, 'system', 'information_schema', 'default', '_local'])

const withoutQuotes = ({ kind, text }: FormattedToken) => (kind === 'quoted' ? text.slice(1, -1) : text)

export function statementReader(tokens: readonly FormattedToken[], sql: string): StatementReader {
  const found: Found = {
    selects: 0,
    tables: [],
    commonTables: new Set(),
    functions: new Set(),
    hiddenFunctions: new Set(),
  }
  const names = new Set<number>()
  let at = 0
  let hiddenDepth = 0
  const peek = (ahead = 0) => tokens[at + ahead]
  const isText = (token: FormattedToken | undefined, text: string) =>
    token !== undefined && (token.kind === 'word' || token.kind === 'sign') && token.text === text
  const isAt = (...texts: string[]) => texts.every((text, index) => isText(peek(index), text))
  const refuse = (message: string, name?: string): never => {
    throw name === undefined ? refuseSql(message, sql) : refuseName(message, sql, name)
  }
  const refuseNext = () => {
    const next = peek()
    return next
      ? refuse(`Queries cannot contain ${withoutQuotes(next)} here`, withoutQuotes(next))
      : refuse('The query is incomplete')
  }
  const accept = (...texts: string[]) => {
    const holds = isAt(...texts)
    if (holds) at += texts.length
    return holds
  }
  function readIdentifier(): string {
    const token = peek()
    const isName = token?.kind === 'quoted' || (token?.kind === 'word' && !isClauseWord(token.text))
    if (token?.kind === 'word' && !isName)
      return refuse(`Write a column or a value in place of ${token.text}; a name like that needs quotes`, token.text)
    if (!token || !isName) return refuseNext()
    at += 1
    return withoutQuotes(token)
  }
  return {
    found,
    position: () => at,
    peek,
    isAt,
    accept,
    expect: (...texts) => void (accept(...texts) || refuseNext()),
    acceptKind(kind) {
      const holds = peek()?.kind === kind
      if (holds) at += 1
      return holds
    },
    readName() {
      names.add(at)
      return readIdentifier()
    },
    readFunctionName: readIdentifier,
    since: (start) => tokens.slice(start, at),
    hidden(read) {
      hiddenDepth += 1
      read()
      hiddenDepth -= 1
    },
    isHidden: () => hiddenDepth > 0,
    refuse,
    refuseNext,
    refuseFunction(name) {
      throw refuseFunction(name, sql)
    },
    print: () =>
      tokens.map((token, index) => token.blank + (names.has(index) ? printName(token) : token.text)).join(''),
  }
}

const printName = ({ kind, text }: FormattedToken) => (kind === 'word' && needsQuotes(text) ? `\`${text}\`` : text)
