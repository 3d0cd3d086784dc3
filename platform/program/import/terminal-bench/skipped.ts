import { Failure } from '#platform/ground/failures/failure.ts'

/** Something that was left out. `count` is set if there are several. */
export type Skipped = { what: 'file' | 'folder' | 'trial'; file: string; reason: string; count?: number }

/** Our own errors give the reason. A driver's message quotes its statement and values, so it is only logged. */
export function toSkipped(what: Skipped['what'], file: string, error: unknown): Skipped {
  if (error instanceof Failure) return { what, file, reason: error.message }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  console.error(`The import skipped ${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
  return { what, file, reason: 'could not be stored; see the log for the reason' }
}

/** The number of files, folders and trials that were left out, and then each with its reason. */
export function describeSkipped(skipped: readonly Skipped[]): string[] {
  if (skipped.length === 0) return []
  const counts = (['file', 'folder', 'trial'] as const).flatMap((what) => {
    const count = skipped.reduce((sum, each) => sum + (each.what === what ? (each.count ?? 1) : 0), 0)
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`]
  })
  return [`Left out ${counts.join(', ')}:`, ...skipped.map(({ file, reason }) => `Skipped ${file}: ${reason}`)]
}
