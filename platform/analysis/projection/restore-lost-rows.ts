import { logTrouble } from '#server-kit/log-fault.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { enqueueFinishedRuns } from './store.ts'

type RestoringServices = Pick<Services, 'db' | 'analytics'>

/**
 * Puts every finished run of an organization into the outbox if its engine has none of them, for example because its
 * folder or tables were deleted; the projector then inserts them again. Call it before the engine receives any row.
 */
export const restoreLostRows = (services: RestoringServices, organizationId: string): Promise<void> =>
  oneAtATime(services, organizationId, () => enqueueLostRows(services, organizationId))

/** Like restoreLostRows, for a caller that already holds the lock of oneAtATime. */
export async function enqueueLostRows({ db, analytics }: RestoringServices, organizationId: string) {
  if (!(await analytics.hasNoRows(organizationId))) return
  if ((await enqueueFinishedRuns(db, organizationId)) === 0) return
  logTrouble(`Analytics of organization ${organizationId} has lost its rows and is being rebuilt from the database`)
  analytics.noteRestored(organizationId)
}
