import type { Database } from '#platform/database/open-database.ts'
import { conflict, notFound } from '#platform/failures/failure.ts'
import { findReport, findExistingReport, type ReportKey } from './store.ts'

const unknown = ({ reportId }: ReportKey) => notFound(`There is no report ${reportId}`)

/** The report of a key with its body, or `not_found`. */
export async function requireReport(db: Database, key: ReportKey) {
  const row = await findReport(db, key)
  if (!row) throw unknown(key)
  return row
}

/** With the clock taken: the report as it stands, `not_found`, or the 409 of one that changed since it was read. */
export async function requireUnchanged(tx: Database, key: ReportKey, expectedUpdatedAt?: string) {
  const standing = await findExistingReport(tx, key, expectedUpdatedAt)
  if (!standing) throw unknown(key)
  if (!standing.isAsExpected) {
    throw conflict(
      'The report changed since you read it, and nothing was written: read it again, then send your change',
    )
  }
  return standing
}
