import type { Services } from '#platform/ground/context/context.ts'
import { type ProjectionServices, projectBatches } from './project-runs.ts'
import { oneAtATime, unlessBusy } from './one-at-a-time.ts'
import { countOutboxRows, enqueueFinishedRuns } from './store.ts'

type Progress = (projected: number, total: number) => void

/**
 * Empties an organization's engine and fills it again from the state database. Returns how many runs it inserted. Every
 * finished run is in the outbox before the engine is emptied, and no projector removes any meanwhile, so the next
 * projector finishes the work if this process is killed.
 */
export const reindex = (
  services: ProjectionServices,
  organizationId: string,
  onProgress: Progress = () => {},
): Promise<number> => oneAtATime(services, organizationId, () => writeAnew(services, organizationId, onProgress))

async function writeAnew(services: ProjectionServices, organizationId: string, onProgress: Progress) {
  await startAnew(services, organizationId)
  const total = await countOutboxRows(services.db, organizationId)
  onProgress(0, total)
  return projectBatches(services, organizationId, (projected) => onProgress(projected, total))
}

/** Empties the engine and leaves every finished run to the projector, for a caller that holds the lock of oneAtATime. */
async function startAnew({ db, analytics }: Pick<Services, 'db' | 'analytics'>, organizationId: string) {
  await enqueueFinishedRuns(db, organizationId)
  await analytics.clear(organizationId)
}

/**
 * Empties the engine of every organization whose rows have an older schema, and leaves all of its runs to the projector. If
 * it is killed, the next start continues. `onError` receives each failure; failed organizations stay outdated, and so do
 * those that somebody else is writing. Returns whether none is left.
 */
export async function emptyOutdated(services: ProjectionServices, onError: (error: unknown) => void) {
  for (const organizationId of await services.analytics.findOutdated())
    await unlessBusy(services, organizationId, async () => {
      // If servers share an engine, another server may have emptied it meanwhile.
      const stillOutdated = await services.analytics.findOutdated()
      if (stillOutdated.includes(organizationId)) await startAnew(services, organizationId)
    }).catch(onError)
  return (await services.analytics.findOutdated()).length === 0
}
