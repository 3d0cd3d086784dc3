import type { Database } from '#platform/ground/database/open-database.ts'
import { conflict, notFound } from '#platform/ground/failures/failure.ts'
import { findExistingReport, findReport, findReportForUpdate, findReportId, type ReportKey } from './store.ts'

export const unknownReport = ({ reportId }: ReportKey) => notFound(`Report "${reportId}" does not exist`)

/** Returns the report with its body. Errors: `not_found`. */
export async function requireReport(db: Database, key: ReportKey) {
  const row = await findReport(db, key)
  if (!row) throw unknownReport(key)
  return row
}

/** Returns the report's id without reading its body. Errors: `not_found`. */
export async function requireReportId(db: Database, key: ReportKey): Promise<string> {
  const id = await findReportId(db, key)
  if (id === undefined) throw unknownReport(key)
  return id
}

/** Returns the report's text and locks it until the transaction ends. Errors: `not_found`. */
export async function lockReport(tx: Database, key: ReportKey) {
  const row = await findReportForUpdate(tx, key)
  if (!row) throw unknownReport(key)
  return row
}

/**
 * Returns the current report; the caller holds the reports clock. Errors: `not_found`, and 409 if it changed since it
 * was read.
 */
export async function requireUnchanged(tx: Database, key: ReportKey, expectedUpdatedAt?: string) {
  const existing = await findExistingReport(tx, key, expectedUpdatedAt)
  if (!existing) throw unknownReport(key)
  if (!existing.isAsExpected) {
    throw conflict('The report changed since you read it, so nothing was written: read it again, then send your change')
  }
  return existing
}
