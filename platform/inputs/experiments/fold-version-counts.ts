import type { Database } from '#platform/ground/database/open-database.ts'
import { foldRows } from './version-count-store.ts'

/** Keeps the counts of an organization's versions quick to read. It changes no count, and is safe to repeat. */
export const foldVersionCounts = (db: Database, organizationId: string) => foldRows(db, organizationId)
