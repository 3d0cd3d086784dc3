import type { ContextSnapshot } from '#contract/context-suggestions.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { findRecord, type RecordKey } from './store.ts'
import { toSnapshot } from './to-snapshot.ts'

export const recordNotFound = ({ kind, targetId }: RecordKey) =>
  notFound(`There is no ${kind} "${targetId}" in the shared Context`)

/** The current record. Errors: `not_found`. */
export async function requireRecord(db: Database, key: RecordKey): Promise<ContextSnapshot> {
  const row = await findRecord(db, key)
  if (!row) throw recordNotFound(key)
  return toSnapshot(row)
}
