import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { isEnabled } from './store.ts'

/** Errors: `not_found` where members may not suggest changes. */
export async function requireEnabled(db: Database, organizationId: string) {
  if (!(await isEnabled(db, organizationId))) throw notFound('Context suggestions are disabled for this organization')
}
