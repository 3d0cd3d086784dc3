import { columnsOf } from '#platform/analysis/analytics/create-tables.ts'
import { plainName } from './allowed-names.ts'
import { readFormatted } from './formatted-tokens.ts'
import { refuseSql, refuseUnknownTable } from './query-error.ts'
import { readExpression, readNamed, readOperand } from './read-expression.ts'
import { readQuery } from './read-query.ts'
import { type Found, statementReader } from './statement-reader.ts'

export type Statement = {
  /** The statement to execute: exactly the tokens that were read. */
  sql: string
  found: Found
}

/**
 * The only way from a user's text to an executed statement. `formatted` is the engine's formatting of the text. The
 * grammar of allowed SQL must accept every token; the accepted tokens are printed again. Errors: `invalid_argument`.
 */
export function readStatement(formatted: string, sql: string): Statement {
  const reader = statementReader(readFormatted(formatted, sql), sql)
  if (!['SELECT', 'WITH', '('].some((text) => reader.isAt(text)))
    throw refuseSql('A query must be one SELECT statement', sql)
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
