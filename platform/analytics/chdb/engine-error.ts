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

export const isAboutRows = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.code !== null && errorsOfRows.has(error.code)
