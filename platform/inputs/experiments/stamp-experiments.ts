import type { Database } from '#platform/ground/database/open-database.ts'
import { stampRows } from './store.ts'

/** Makes every poll of their runs read again, in the transaction that deletes some. */
export const stampExperiments = (tx: Database, organizationId: string, experimentIds: readonly string[]) =>
  stampRows(tx, organizationId, experimentIds)
