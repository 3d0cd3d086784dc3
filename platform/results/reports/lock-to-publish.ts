import { notFound } from '#platform/ground/failures/failure.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { findImageIds } from './file-store.ts'
import { lockReport, requireReport } from './require-report.ts'
import { nextEventTime, type ReportKey } from './store.ts'

/** Returns the report, which nobody writes or deletes until the transaction ends. Errors: `not_found`. */
export async function lockToPublish(tx: Database, key: ReportKey) {
  // The clock first, as who writes a report does. It also keeps images from being removed meanwhile.
  await nextEventTime(tx, key.organizationId)
  await lockReport(tx, key)
  return requireReport(tx, key)
}

/** Errors: `not_found` for an id that is no image of the organization. */
export async function requireImages(tx: Database, organizationId: string, ids: readonly string[]) {
  const found = await findImageIds(tx, organizationId, ids)
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw notFound(`Image "${missing}" does not exist`)
}
