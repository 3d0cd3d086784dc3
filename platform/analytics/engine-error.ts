import { exhausted, unavailable } from '#platform/failures/failure.ts'
import { RefusedRows, StatementRefused } from '#platform/context/analytics.ts'
import { AnswerTooLarge, resultTooLarge } from './limits-of-results.ts'

/** ClickHouse's numbers for a statement that the engine stopped by itself. */
export const timeoutExceeded = 159
const memoryLimitExceeded = 241
const tooManyRowsOrBytes = 396

/** A statement the engine answered with an error; `code` is ClickHouse's own number. */
export class EngineError extends Error {
  readonly code: number | null

  constructor(message: string, code: number | null) {
    super(message)
    this.code = code
  }
}

/**
 * ClickHouse's errors about what a row holds: CANNOT_PARSE_… (of text, escapes, quotes, dates, numbers, UUIDs, booleans,
 * IP addresses, arrays), TYPE_MISMATCH, out of a type's range, not an element of the enum, null where none may be. A full
 * disk or a broken table is none of these: it passes, and rows dropped for it would be lost.
 */
const errorsOfRows = new Set([6, 25, 26, 27, 38, 41, 53, 69, 70, 72, 117, 130, 131, 321, 349, 376, 467, 691])

const isAboutRows = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.code !== null && errorsOfRows.has(error.code)

/**
 * ClickHouse's errors about what a statement uses up: too many rows, bytes, rows or bytes of a set, a join or DISTINCT; TOO_SLOW, TIMEOUT_EXCEEDED, TOO_MANY_SIMULTANEOUS_QUERIES, MEMORY_LIMIT_EXCEEDED, QUERY_WAS_CANCELLED,
 * TOO_LARGE_ARRAY_SIZE, TOO_LARGE_STRING_SIZE.
 */
const errorsOfLimits = new Set([128, 131, 158, timeoutExceeded, 160, 191, 202, memoryLimitExceeded, 307, 394])

const isOverLimit = ({ code }: EngineError) => code !== null && errorsOfLimits.has(code)

/** What to throw for an error of one of the platform's own statements. */
export function toUnavailable(error: unknown): unknown {
  if (error instanceof AnswerTooLarge) return exhausted(error.message)
  if (!(error instanceof EngineError)) return error
  if (error.code === timeoutExceeded) return unavailable('The query took longer than it may')
  if (error.code === memoryLimitExceeded) return unavailable('The query used more memory than it may')
  return error
}

/** What to throw for an error of a statement that a user wrote. */
export function toReadFailure(error: unknown): unknown {
  if (error instanceof AnswerTooLarge) return exhausted(error.message)
  if (!(error instanceof EngineError)) return error
  if (error.code === tooManyRowsOrBytes) return exhausted(resultTooLarge().message)
  if (isOverLimit(error)) return exhausted('The query needs more time, memory or bytes than a query may use')
  return new StatementRefused(error.message, error.code)
}

/** What to throw for an error of an insert. */
export const toInsertFailure = (error: unknown): unknown =>
  isAboutRows(error) ? new RefusedRows(`ClickHouse error ${error.code}`) : error
