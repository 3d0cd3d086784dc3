import { Failure } from '#platform/failures/failure.ts'

/** A file, or a part of one, that was skipped. */
export type Skipped = { file: string; reason: string }

/** Our own errors give the reason. A driver's message quotes its statement and values, so it is only logged. */
export function toSkipped(file: string, error: unknown): Skipped {
  if (error instanceof Failure) return { file, reason: error.message }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  console.error(`The import skipped ${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
  return { file, reason: 'could not be stored; see the log for the reason' }
}
