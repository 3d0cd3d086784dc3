import { type ProjectionServices, projectBatches } from './project-runs.ts'
import { oneAtATime, unlessBusyElsewhere } from './one-at-a-time.ts'
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

/** Like reindex, for a caller that already holds the lock of oneAtATime. */
export async function writeAnew(services: ProjectionServices, organizationId: string, onProgress: Progress = () => {}) {
  await enqueueFinishedRuns(services.db, organizationId)
  await services.analytics.clear(organizationId)
  const total = await countOutboxRows(services.db, organizationId)
  onProgress(0, total)
  return projectBatches(services, organizationId, (projected) => onProgress(projected, total))
}

/**
 * Reindexes, one after another, every organization whose rows have an older schema. If it is killed, the next start
 * continues. `onError` receives each failure; failed organizations stay outdated, and so do those that another server
 * is writing. Returns whether none is left.
 */
export async function reindexOutdated(services: ProjectionServices, onError: (error: unknown) => void) {
  for (const organizationId of await services.analytics.findOutdated())
    await unlessBusyElsewhere(services, organizationId, async () => {
      // If servers share an engine, another server may have reindexed it meanwhile.
      const stillOutdated = await services.analytics.findOutdated()
      if (stillOutdated.includes(organizationId)) await writeAnew(services, organizationId)
    }).catch(onError)
  return (await services.analytics.findOutdated()).length === 0
}
