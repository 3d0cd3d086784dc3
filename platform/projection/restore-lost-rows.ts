import type { Services } from '#platform/context/context.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { enqueueFinishedRuns, hasFinishedRunsElsewhere } from './store.ts'

type RestoringServices = Pick<Services, 'db' | 'analytics'>

/**
 * Puts every finished run of an organization into the outbox when its engine has none of them, because somebody removed the
 * engine's folder or tables: the projector then takes them in again. To be called before the engine is given any row.
 */
export const restoreLostRows = (services: RestoringServices, organizationId: string): Promise<void> =>
  oneAtATime(services, organizationId, () => enqueueLostRows(services, organizationId))

/** As restoreLostRows, for a caller that already has its turn. */
export async function enqueueLostRows({ db, analytics }: RestoringServices, organizationId: string) {
  if (!(await analytics.hasNoRows(organizationId))) return
  if (!(await hasFinishedRunsElsewhere(db, organizationId))) return
  console.error(`Analytics of organization ${organizationId} has lost its rows and is being rebuilt from the database`)
  await enqueueFinishedRuns(db, organizationId)
  analytics.noteRestored(organizationId)
}
