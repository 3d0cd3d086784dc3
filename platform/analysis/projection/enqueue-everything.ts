import type { Database } from '#platform/ground/database/open-database.ts'
import { enqueueFinishedRuns, findOrganizationsWithRuns } from './store.ts'

/** Puts every finished run into the outbox, for an installation whose analytics are gone. */
export async function enqueueEverything(db: Database) {
  for (const organizationId of await findOrganizationsWithRuns(db)) await enqueueFinishedRuns(db, organizationId)
}
