import type { Database } from '#platform/ground/database/open-database.ts'
import { insertLabelChanges, insertWaitingRuns } from './store.ts'

/** Puts finished runs whose labels changed into the outbox, in the transaction of the change. */
export const enqueueLabelChanges = (tx: Database, organizationId: string, runIds: readonly string[]) =>
  insertLabelChanges(tx, organizationId, runIds)

/** Puts finished runs into the outbox, so that all their rows are written again. There must be some. */
export const enqueueRuns = (tx: Database, organizationId: string, runIds: readonly string[]) =>
  insertWaitingRuns(tx, organizationId, runIds)
