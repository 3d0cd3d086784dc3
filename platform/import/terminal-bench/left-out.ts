import { Failure } from '#platform/failures/failure.ts'

/** A file, or a part of one, that was left out. */
export type Skipped = { file: string; reason: string }

/** Our own refusals say why themselves; a driver's message quotes its statement and values, so its cause goes to the log. */
export function leftOut(file: string, error: unknown): Skipped {
  if (error instanceof Failure) return { file, reason: error.message }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  console.error(`import left out ${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
  return { file, reason: 'could not be stored; the log says why' }
}
