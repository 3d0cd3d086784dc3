import { limits } from '#contract/wire/limit.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { refuseSql } from './query-error.ts'

/** Control characters except tab, newline and carriage return: the engine or a reader would not see them. */
const control = /(?![\t\n\r])\p{Cc}/u

/** Checks the text before the engine sees it: it must be short, visible and not empty. Errors: `invalid_argument`. */
export function checkText(sql: string) {
  if (new TextEncoder().encode(sql).length > limits.sqlBytes)
    throw invalid(`sql can have at most ${limits.sqlBytes.toLocaleString('en')} bytes`)
  if (sql.trim() === '') throw invalid('sql is required')
  if (!sql.isWellFormed()) throw invalid('sql must be well-formed Unicode')
  const hidden = control.exec(sql)
  if (hidden) throw refuseSql('sql must not contain control characters', sql, hidden.index)
}
