import { columnsOf } from '#platform/analytics/schema.ts'
import { plainName } from './allowed-names.ts'
import { readFormatted } from './formatted-tokens.ts'
import { refuseSql, refuseUnknownTable } from './query-error.ts'
import { readExpression, readNamed, readOperand } from './read-expression.ts'
import { readQuery } from './read-query.ts'
import { type Found, statementReader } from './statement-reader.ts'

export type Statement = {
  /** What may be executed: the tokens that were read, and nothing else. */
  sql: string
  found: Found
}

/**
 * The only way from a user's text to a statement that is executed. `formatted` is what the engine made of the text. A grammar of
 * what is allowed takes every token of it or refuses; what it took is printed anew.
 */
export function readStatement(formatted: string, sql: string): Statement {
  const reader = statementReader(readFormatted(formatted, sql), sql)
  if (!['SELECT', 'WITH', '('].some((text) => reader.isAt(text)))
    throw refuseSql('A query is one SELECT statement', sql)
  readQuery({ reader, readQuery, readExpression, readNamed, readOperand })
  refuseEndings(reader.isAt, sql)
  if (reader.peek()) reader.refuseNext()
  for (const table of reader.found.tables) checkTable(table, reader.found, sql)
  return { sql: reader.print(), found: reader.found }
}

function refuseEndings(isAt: (word: string) => boolean, sql: string) {
  if (['SETTINGS', 'FORMAT', 'INTO'].some((word) => isAt(word)))
    throw refuseSql('INTO OUTFILE, FORMAT and SETTINGS are not available in queries', sql)
}

function checkTable(name: string, { commonTables }: Found, sql: string) {
  const isKnown = Object.hasOwn(columnsOf, name) || commonTables.has(name)
  if (!plainName.test(name) || !isKnown) throw refuseUnknownTable(name, sql)
}
