import { limits } from '#contract/wire/limit.ts'
import { invalid } from '#platform/failures/failure.ts'
import { refuseSql } from './query-error.ts'

/** Everything below a space but tab, newline and carriage return, and what the engine or a reader would not see. */
const control = /(?![\t\n\r])\p{Cc}/u

/** Before the engine sees the text: it must be short, visible, and say something. */
export function checkText(sql: string) {
  if (new TextEncoder().encode(sql).length > limits.sqlBytes)
    throw invalid(`sql may have at most ${limits.sqlBytes.toLocaleString('en')} bytes`)
  if (sql.trim() === '') throw invalid('sql is required')
  if (!sql.isWellFormed()) throw invalid('sql must be well-formed Unicode')
  const hidden = control.exec(sql)
  if (hidden) throw refuseSql('sql may not hold control characters', sql, hidden.index)
}
