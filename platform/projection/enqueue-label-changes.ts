import type { Database } from '#platform/database/open-database.ts'
import { insertLabelChanges } from './store.ts'

/** Puts finished runs whose labels changed into the outbox, in the transaction of the change. */
export const enqueueLabelChanges = (tx: Database, organizationId: string, runIds: readonly string[]) =>
  insertLabelChanges(tx, organizationId, runIds)
